// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together, and those that give memory back
// Memory beside work that may wait for what a PE does next: a resident kernel, a stream that waits for a flag.
#include "kaon/gpu/device/free_gate.hpp"

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/faulty.kernels.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::free_gate {

constexpr std::size_t kMiB = std::size_t{1} << 20;
using Machines = gpu::Resident<MachineEntries>;
using Bytes = gpu::Buffer<std::byte>;

class User : public Chare<User> {
 public:
  /// A resident kernel with a task that waits until raise().
  Task<> stay() {
    machines_.emplace(gpu::ResidentOptions{.workers = 1, .threads = 32, .idle_us = 0});
    flag_.emplace(co_await machines_->make_flag());
    machine_ = co_await machines_->make(Machine{{flag_->word(), 1, gpu::Scope::system}, {}});
    machines_->send(machine_, AwaitNever{});
    co_await machines_->call(machine_, Idle{});
  }
  Task<> raise() {
    machines_->raise(*flag_);
    co_await machines_->stream().drained();  // it parks
  }
  Task<> go() {
    machines_.reset();
    co_return;
  }
  void wait_for_flag() {
    waited_.emplace(waiting_);
    waiting_.wait(*waited_, 1);
  }
  Task<> raise_waited() {
    waited_->raise();
    co_await waiting_.drained();
  }
  /// Memory that nothing uses any more.
  Task<> use_and_free() {
    {
      std::vector<Bytes> buffers;
      for (int i = 0; i < 8; ++i) {
        buffers.emplace_back(64 * kMiB, stream_);
        stream_.fill(buffers.back().span().subspan(0, 1000), i);
      }
    }
    co_await stream_.drained();
  }
  /// The same, behind the resident kernel.
  void free_behind_kernel(std::size_t mib) {
    Bytes one(mib * kMiB, stream_), other(mib * kMiB, stream_);
    stream_.fill(one.span(), 1);
    one.move_to(machines_->stream());
    other.move_to(machines_->stream());
  }
  /// Empty, or what a buffer of this size meets.
  Task<std::string> take(std::size_t mib) {
    try {
      const Bytes buffer(mib * kMiB, stream_);
      stream_.fill(buffer.span(), 2);
    } catch (const OutOfMemory& error) {
      co_return error.what();
    }
    co_await stream_.drained();
    co_return "";
  }
  /// Bytes of the device's memory that the process has then. Twice, as what was needed since the last time stays.
  std::size_t trimmed() {
    gpu::Device& device = stream_.device();
    device.memory().trim_now();
    device.memory().trim_now();
    return device.memory().pool().arena().facts().slab_bytes;
  }

 private:
  gpu::Stream stream_, waiting_;
  std::optional<Machines> machines_;
  std::optional<gpu::DeviceFlag> flag_;
  gpu::DeviceObject<Machine> machine_;
  std::optional<gpu::Flag> waited_;
};

template <class MainTask>
void in_scenes(MainTask main_task, int pes, std::size_t memory) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    DeviceSceneSettings settings;
    settings.shape = {1, pes};
    settings.seed = seed;
    settings.memory = memory;
    DeviceScene scene(settings);
    scene.run(main_task);
  }
}

template <auto kBegin, auto kEnd>
Task<> trim_beside(Runtime& runtime) {
  const auto users = co_await runtime.create_group<User>();
  co_await users[1].template call<&User::use_and_free>();
  co_await users[0].template call<kBegin>();
  const std::size_t before = co_await users[1].template call<&User::trimmed>();
  CHECK(before >= 512 * kMiB);
  co_await users[0].template call<kEnd>();
  const std::size_t after = co_await users[0].template call<&User::trimmed>();
  CHECK(after < before);
  co_await users[0].template call<&User::go>();
}

TEST_CASE("no PE gives memory back to the driver while a resident kernel of another PE runs", "[device][memory]") {
  in_scenes(trim_beside<&User::stay, &User::raise>, 2, 1024 * kMiB);
}

TEST_CASE("no PE gives memory back to the driver while a stream of another PE waits for a flag", "[device][memory]") {
  in_scenes(trim_beside<&User::wait_for_flag, &User::raise_waited>, 2, 1024 * kMiB);
}

Task<> run_out_of_memory(Runtime& runtime) {
  const auto users = co_await runtime.create_group<User>();
  co_await users[0].call<&User::stay>();
  co_await users[0].call<&User::free_behind_kernel>(std::size_t{20});
  const std::string text = co_await users[0].call<&User::take>(std::size_t{40});
  CAPTURE(text);
  CHECK(has(text, "a buffer of 41943040 bytes does not fit"));
  CHECK(has(text, "freed behind a resident kernel"));
  CHECK(has(text, "make the buffer before it begins"));
  co_await users[0].call<&User::raise>();
  CHECK_AWAITED(users[0].call<&User::take>(std::size_t{40}), "");
  co_await users[0].call<&User::go>();
}

TEST_CASE("a PE out of memory does not wait for a resident kernel that waits for it, and says what to do",
          "[device][memory][bad input]") {
  in_scenes(run_out_of_memory, 1, 64 * kMiB);
}

Task<> take_beside(Runtime& runtime) {
  const auto users = co_await runtime.create_group<User>();
  co_await users[0].call<&User::stay>();
  co_await users[0].call<&User::free_behind_kernel>(std::size_t{200});
  // on another stream, which would wait for the kernel
  CHECK_AWAITED(users[0].call<&User::take>(std::size_t{200}), "");
  co_await users[0].call<&User::raise>();
  co_await users[0].call<&User::go>();
}

TEST_CASE("memory freed behind a resident kernel serves no other stream while that runs", "[device][memory]") {
  in_scenes(take_beside, 1, 1024 * kMiB);
}

TEST_CASE("a stream gets no open-ended work while memory is given back", "[device][memory]") {
  gpu::FreeGate gate;
  gpu::StreamState stream;
  gate.add(stream);
  std::optional<gpu::FreeGate::Pass> pass(&gate);
  REQUIRE(*pass);
  CHECK_FALSE(gpu::FreeGate::Pass(&gate));  // one at a time
  std::atomic<bool> has_begun = false;
  std::thread giver([&] {
    gate.announce(stream);
    has_begun = true;
  });
  while (!stream.is_open_ended()) std::this_thread::yield();
  CHECK_FALSE(has_begun);
  pass.reset();
  giver.join();
  CHECK_FALSE(gpu::FreeGate::Pass(&gate));
  stream.note_reached(1);
  CHECK(gpu::FreeGate::Pass(&gate));
}

}  // namespace kaon::testing::free_gate
