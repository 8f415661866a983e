// SPDX-License-Identifier: Apache-2.0
// Memory beside work that goes on until this program lets it end, as the argument says; prints "right" at the end.
// `trim KIND` (2 PEs): one gives memory back to the driver while the other one's resident kernel, or stream, waits for
// a flag. `memory` (--device-memory-mib 64): one is out of memory that was freed behind such a kernel of its own. With
// `free=waits` the emulation waits where a real device does.
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "tests/device/faulty.kernels.hpp"

namespace beside {

namespace entries = kaon::testing;
constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr double kPatienceS = 20;  // for the flag; what waits for the kernel takes so long, and fails
using Bytes = kaon::gpu::Buffer<std::byte>;

/// A resident kernel with a task that waits for a flag.
class Stay {
 public:
  kaon::Task<> begin() {
    flag_.emplace(co_await machines_.make_flag());
    machine_ = co_await machines_.make(entries::Machine{{flag_->word(), 1, kaon::gpu::Scope::system}, {}});
    machines_.send(machine_, entries::AwaitNever{});
    co_await machines_.call(machine_, entries::Idle{});
  }
  kaon::Task<> end() {
    machines_.raise(*flag_);
    co_await machines_.stream().drained();
  }
  kaon::gpu::Stream& stream() { return machines_.stream(); }

 private:
  kaon::gpu::Resident<entries::MachineEntries> machines_{
      {.workers = 1, .threads = 32, .idle_us = 0, .flag_patience_s = kPatienceS}};
  std::optional<kaon::gpu::DeviceFlag> flag_;
  kaon::gpu::DeviceObject<entries::Machine> machine_;
};

class Side : public kaon::Chare<Side> {
 public:
  kaon::Task<> use_and_free() {
    {
      std::vector<Bytes> buffers;
      for (int i = 0; i < 8; ++i) {
        buffers.emplace_back(64 * kMiB, stream_);
        stream_.fill(buffers.back().span(), i);
      }
    }
    co_await stream_.drained();
  }
  /// Bytes that the process has of the device then; twice, as what was needed since the last time stays.
  std::size_t trimmed() {
    kaon::gpu::Device& device = stream_.device();
    device.memory().trim_now();
    device.memory().trim_now();
    return device.memory().pool().arena().facts().slab_bytes;
  }

 private:
  kaon::gpu::Stream stream_;
};

int report(bool is_right, const char* what) {
  std::printf("%s%s\n", is_right ? "right" : "wrong: ", is_right ? "" : what);
  return is_right ? 0 : 1;
}

kaon::Task<int> trim(kaon::Runtime& runtime, bool has_kernel) {
  const auto sides = co_await runtime.create_group<Side>();
  kaon::gpu::Stream stream;
  const kaon::gpu::Flag flag(stream);
  std::optional<Stay> stay;
  if (has_kernel) {
    stay.emplace();
    co_await stay->begin();
  } else {
    stream.wait(flag, 1);
  }
  co_await sides[1].call<&Side::use_and_free>();
  const std::size_t during = co_await sides[1].call<&Side::trimmed>();
  if (has_kernel) {
    co_await stay->end();
  } else {
    flag.raise();
    co_await stream.drained();
  }
  const std::size_t after = co_await sides[1].call<&Side::trimmed>();
  co_return report(during >= 512 * kMiB && after < during, "memory went back, or stayed");
}

std::string take(kaon::gpu::Stream& stream) {
  try {
    const Bytes buffer(40 * kMiB, stream);
    stream.fill(buffer.span(), 1);
  } catch (const kaon::OutOfMemory& error) {
    return error.what();
  }
  return "";
}

kaon::Task<int> run_out_of_memory() {
  Stay stay;
  co_await stay.begin();
  kaon::gpu::Stream stream;
  {
    Bytes one(20 * kMiB, stream), other(20 * kMiB, stream);
    stream.fill(one.span(), 1);
    one.move_to(stay.stream());
    other.move_to(stay.stream());
  }
  const std::string said = take(stream);
  std::printf("%s\n", said.c_str());
  co_await stay.end();
  const std::string after = take(stream);
  co_await stream.drained();
  co_return report(said.find("freed behind a resident kernel") != said.npos && after.empty(), after.c_str());
}

kaon::Task<int> run(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  const std::string how = arguments.empty() ? "" : arguments[0];
  if (how == "memory") co_return co_await run_out_of_memory();
  if (how != "trim") throw kaon::UsageError("give: trim kernel, trim stream or memory");
  co_return co_await trim(runtime, arguments.size() > 1 && arguments[1] == "kernel");
}

}  // namespace beside

int main(int argc, char** argv) { return kaon::run(argc, argv, beside::run, kaon::with_devices); }
