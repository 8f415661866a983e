// SPDX-License-Identifier: Apache-2.0
// Requests that kernels post to queue pairs, with all switches of the posting side: rates and bandwidth, and the time
// of a put with a notice. The adapter is emulated, and each row says so.
#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/gpu/queues/queue_end.hpp"
#include "bench/programs/command_line.hpp"
#include "bench/programs/measurement.hpp"

namespace queue_bench {
namespace {

const char* name_of(Sharing sharing) {
  constexpr const char* kNames[] = {"thread", "warp", "block", "grid"};
  return kNames[static_cast<std::size_t>(sharing)];
}

class Measurement {
 public:
  Measurement(kaon::Group<End> ends, int last) : ends_(ends), last_(last) {}

  kaon::Task<> posts(Switches switches) {
    co_await connect(switches);
    const Result result = co_await ends_[0].call<&End::post>();
    const std::string adapter = co_await ends_[0].call<&End::adapter>();
    co_await close();
    if (result.failures != 0) throw std::runtime_error("gpu_queues: requests had errors");
    const std::string what =
        fmt::format("{}, {} queue(s) of {}, each of a {}, doorbell {}, {}, {}, {}",
                    kaon::bench::size_name(switches.bytes), switches.queues, switches.depth, name_of(switches.sharing),
                    switches.ring_every == 0 ? "at a full queue" : fmt::format("every {}", switches.ring_every),
                    switches.is_prefilled ? "prefilled" : "all fields",
                    switches.is_pipelined ? "pipelined" : "one by one", adapter);
    const auto count = static_cast<double>(result.requests);
    kaon::bench::print_measurement(what + ", rate", count / result.seconds / 1e6, "M/s");
    kaon::bench::print_measurement(what + ", bandwidth",
                                   count * static_cast<double>(switches.bytes) / result.seconds / 1e9, "GB/s");
    kaon::bench::print_measurement(what + ", doorbells", static_cast<double>(result.rings) / count, "per request");
    kaon::bench::print_measurement(what + ", device memory", static_cast<double>(result.device_bytes), "B");
    kaon::bench::print_measurement(what + ", pinned memory", static_cast<double>(result.pinned_bytes), "B");
  }
  kaon::Task<> one_way(Switches switches) {
    switches.queues = 1;
    switches.sharing = Sharing::thread;
    co_await connect(switches);
    const auto [there, back] =
        co_await kaon::all(ends_[0].call<&End::talk>(true), ends_[last_].call<&End::talk>(false));
    const std::string adapter = co_await ends_[0].call<&End::adapter>();
    co_await close();
    std::vector<std::uint64_t> ns = there;
    std::sort(ns.begin(), ns.end());
    const std::string what =
        fmt::format("{} put and notice one way, {}", kaon::bench::size_name(switches.bytes), adapter);
    for (const auto& [kind, share] : {std::pair("median", 0.5), std::pair("p99", 0.99)})
      kaon::bench::print_measurement(
          what + ", " + kind,
          static_cast<double>(ns[static_cast<std::size_t>(share * static_cast<double>(ns.size() - 1))]) / 2e3, "us");
  }

 private:
  kaon::Task<> connect(Switches switches) {
    const auto first = co_await ends_[0].call<&End::prepare>(switches);
    if (last_ == 0) {
      co_await ends_[0].call<&End::connect>(first);
      co_return;
    }
    const auto last = co_await ends_[last_].call<&End::prepare>(switches);
    co_await ends_[0].call<&End::connect>(last);
    co_await ends_[last_].call<&End::connect>(first);
  }
  kaon::Task<> close() {
    co_await ends_[0].call<&End::close>();
    if (last_ != 0) co_await ends_[last_].call<&End::close>();
  }

  kaon::Group<End> ends_;
  int last_;
};

/// The values of all switches; each combination is a point.
struct Options {
  std::vector<std::uint64_t> sizes{8, 4 << 10, 64 << 10};
  std::vector<std::uint32_t> queues{1, 4}, ring_every{1, 32, 0};
  std::vector<std::string> sharing{"thread"}, adapters{"blocks", "progress"};
  std::vector<std::uint32_t> prefilled{0, 1}, pipelined{1};
  Switches base;
};

template <class Value>
Value found(const std::string& name, const std::vector<std::pair<std::string, Value>>& values) {
  for (const auto& [known, value] : values)
    if (known == name) return value;
  throw kaon::UsageError("gpu_queues: there is no \"" + name + "\"; --help lists the values");
}

std::vector<Switches> points_of(const Options& options) {
  std::vector<Switches> points{options.base};
  const auto vary = [&](const auto& values, auto set) {
    std::vector<Switches> varied;
    for (const Switches& point : points)
      for (const auto& value : values) {
        varied.push_back(point);
        set(varied.back(), value);
      }
    points = varied;
  };
  vary(options.adapters, [](Switches& point, const std::string& name) {
    point.adapter =
        found<gpu::AdapterKind>(name, {{"blocks", gpu::AdapterKind::blocks}, {"progress", gpu::AdapterKind::progress}});
  });
  vary(options.sizes, [](Switches& point, std::uint64_t bytes) { point.bytes = bytes; });
  vary(options.sharing, [](Switches& point, const std::string& name) {
    point.sharing = found<Sharing>(
        name,
        {{"thread", Sharing::thread}, {"warp", Sharing::warp}, {"block", Sharing::block}, {"grid", Sharing::grid}});
  });
  vary(options.queues,
       [](Switches& point, std::uint32_t count) { point.queues = point.sharing == Sharing::grid ? 1 : count; });
  vary(options.ring_every, [](Switches& point, std::uint32_t every) { point.ring_every = every; });
  vary(options.prefilled, [](Switches& point, std::uint32_t value) { point.is_prefilled = value != 0; });
  vary(options.pipelined, [](Switches& point, std::uint32_t value) { point.is_pipelined = value != 0; });
  return points;
}

kaon::Task<int> bench(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  Options options;
  kaon::bench::CommandLine app(
      "Requests of kernels of the first PE's device to memory of the last one's, by queue pairs");
  app.sizes(options.sizes, "bytes of requests");
  app.number("--queues", options.queues, 1, Posts::kMostQueues, "queue pairs, each with a poster");
  app.number("--ring-every", options.ring_every, 0, 65'536, "requests for a doorbell; 0: at a full queue");
  app.number("--prefilled", options.prefilled, 0, 1, "1: only offsets are stored");
  app.number("--pipelined", options.pipelined, 0, 1, "0: each request is waited for");
  app.value("--sharing", options.sharing, "of a queue: thread, warp, block or grid");
  app.value("--adapters", options.adapters, "blocks, progress");
  app.number("--depth", options.base.depth, 1, 65'536, "requests of a queue");
  app.number("--requests", options.base.requests, 10, 10'000'000, "of each thread that posts");
  app.number("--adapter-blocks", options.base.adapter_blocks, 1, 64, "resident blocks of the adapter");
  if (const auto code = app.parse(std::move(arguments))) co_return *code;
  const auto ends = co_await runtime.create_group<End>();
  const int last = static_cast<int>(runtime.pes()) - 1;
  Measurement measurement(ends, last);
  std::uint64_t latest = 0;
  for (const Switches& point : points_of(options)) {
    if (last != 0 && point.bytes != std::exchange(latest, point.bytes)) co_await measurement.one_way(point);
    co_await measurement.posts(point);
  }
  co_return 0;
}

}  // namespace
}  // namespace queue_bench

// Kernels that are loaded at their first launch would wait for those that run.
int main(int argc, char** argv) {
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  return kaon::run(argc, argv, queue_bench::bench, kaon::with_devices);
}
