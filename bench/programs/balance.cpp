// SPDX-License-Identifier: Apache-2.0
// What balancing costs: strategies alone, a step in which nothing moves, and one in which all elements do.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/measurement.hpp"

namespace balance {

using kaon::bench::Clock;

class Load : public kaon::Chare<Load> {
 public:
  Load() = default;
  explicit Load(std::size_t bytes) : bytes_(bytes) {}
  template <class Archive>
  void pup(Archive& archive) {
    archive(step_, bytes_);
  }

  void work() { add_load(1e-6 * (1 + index().x % 7)); }
  /// So often to the barrier and on.
  kaon::Task<> go_round(int steps) {
    while (step_ < steps) {
      ++step_;
      co_await rebalance<&Load::go_round>(steps);
    }
    step_ = 0;
  }

 private:
  int step_ = 0;
  std::vector<std::byte> bytes_;
};

/// As many bytes in the memory of a device.
class DeviceLoad : public kaon::Chare<DeviceLoad> {
 public:
  DeviceLoad() = default;
  explicit DeviceLoad(std::size_t bytes) : bytes_(bytes, stream_) { stream_.fill(bytes_.span(), 1); }
  template <class Archive>
  void pup(Archive& archive) {
    bytes_.pup_on(archive, stream_);
  }

 private:
  kaon::gpu::Stream stream_;
  kaon::gpu::Buffer<std::byte> bytes_;
};

/// Sends messages of 16 bytes to its partner, as much as it gets.
class Talker : public kaon::Chare<Talker> {
 public:
  template <class Archive>
  void pup(Archive& archive) {
    archive(left_);
  }
  void begin(int messages) {
    left_ = messages;
    partner().send<&Talker::hear>(1L, 2L);
  }
  void hear(long first, long second) {
    if (left_-- > 0) partner().send<&Talker::hear>(second, first);
  }

 private:
  kaon::Element<Talker> partner() { return array()[index().x ^ 1]; }
  int left_ = 0;
};

/// Elements of 1 to 2 us, all on the first half of the PEs.
kaon::LoadReport report_of(std::uint64_t count, kaon::PeId pes) {
  kaon::LoadReport report;
  report.pes = pes;
  for (std::uint64_t i = 0; i < count; ++i)
    report.elements.push_back(
        {i, 1e-6 + 1e-9 * static_cast<double>(i * 7919 % 1000), static_cast<kaon::PeId>(i * (pes / 2) / count), 1});
  return report;
}

void measure_strategy(const std::string& name, std::uint64_t count, kaon::PeId pes, const kaon::Strategy& strategy) {
  const kaon::LoadReport report = report_of(count, pes);
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto start = Clock::now();
    const auto places = strategy(report);
    best = std::min(best, kaon::bench::seconds_between(start, Clock::now()));
    if (places.size() != count) throw kaon::UsageError("a strategy lost elements");
  }
  kaon::bench::print_measurement(fmt::format("{} of {} elements over {} PEs", name, count, pes), best * 1e3, "ms");
}

kaon::Task<> measure_steps(kaon::Runtime& runtime, int count, std::size_t bytes, kaon::Strategy strategy,
                           std::string name) {
  constexpr int kSteps = 4;
  const auto loads = co_await runtime.create<Load>(count, bytes);
  co_await runtime.balance(loads, strategy);
  double best_of_main = 1e9;
  std::uint64_t moved = 0;
  for (int i = 0; i < kSteps; ++i) {
    loads.broadcast<&Load::work>();
    co_await runtime.quiescence();
    const kaon::BalanceStep step = co_await runtime.rebalance(loads, strategy);
    best_of_main = std::min(best_of_main, step.taken_seconds);
    moved = step.moved;
  }
  co_await loads.call_all_and_wait<&Load::go_round>(1);
  const auto start = Clock::now();
  co_await loads.call_all_and_wait<&Load::go_round>(kSteps);
  const double seconds = kaon::bench::seconds_between(start, Clock::now()) / kSteps;
  const std::string what = name + ", " + std::to_string(count) + " elements of " + kaon::bench::size_name(bytes);
  kaon::bench::print_measurement(what + ", a step of main's", best_of_main * 1e3, "ms");
  kaon::bench::print_measurement(what + ", a barrier of all", seconds * 1e3, "ms");
  if (moved > 0) {
    kaon::bench::print_measurement(what + ", for each moved by main", best_of_main * 1e6 / static_cast<double>(moved),
                                   "us");
    kaon::bench::print_measurement(what + ", for each moved at the barrier", seconds * 1e6 / static_cast<double>(moved),
                                   "us");
  }
  co_await loads.destroy_and_wait();
}

/// All elements go to the next PE: time of each MiB that they have.
template <class C>
kaon::Task<> measure_large(kaon::Runtime& runtime, std::string where) {
  constexpr std::size_t kBytes = std::size_t{1} << 20;
  constexpr int kCount = 32, kSteps = 6;
  if (runtime.pes() == 1) co_return;
  const auto loads = co_await runtime.create<C>(kCount, kBytes);
  double best = 1e9;
  for (int i = 0; i < kSteps; ++i) {
    const kaon::BalanceStep step = co_await runtime.rebalance(loads, kaon::strategies::rotate);
    best = std::min(best, step.taken_seconds);
    if (step.moved != kCount) throw kaon::UsageError("elements stayed");
  }
  kaon::bench::print_measurement("rotate, elements of 1 MiB of the " + where + ", for each", best * 1e6 / kCount, "us");
  co_await loads.destroy_and_wait();
}

/// What a message between elements costs that nobody measures, whose time is measured, and which is counted.
kaon::Task<> measure_messages(kaon::Runtime& runtime) {
  constexpr int kPairs = 16, kMessages = 20'000;
  const auto look = [](const kaon::LoadReport& report) { return report.places(); };
  const std::vector<std::pair<std::string, kaon::Strategy>> kinds{
      {"not measured", {}}, {"timed", kaon::strategies::greedy}, {"timed and counted", look}};
  for (const auto& [name, strategy] : kinds) {
    const auto talkers = co_await runtime.create<Talker>(2 * kPairs * static_cast<int>(runtime.pes()));
    if (name != "not measured") co_await runtime.balance(talkers, strategy);
    double best = 1e9;
    for (int i = 0; i < 5; ++i) {
      const auto start = Clock::now();
      talkers.broadcast<&Talker::begin>(kMessages / 10);
      co_await runtime.quiescence();
      best = std::min(best, kaon::bench::seconds_between(start, Clock::now()));
    }
    constexpr int kOfEachPair = kMessages / 10;
    const double each = best * 1e9 / (2.0 * kPairs * kOfEachPair);
    kaon::bench::print_measurement("messages between elements of a PE, " + name + ", each", each, "ns");
    co_await talkers.destroy_and_wait();
  }
}

kaon::Task<int> bench(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  kaon::bench::CommandLine app(
      "Measures strategies, steps of balancing and moves; with --device, moves between devices alone.");
  if (const auto code = app.parse(std::move(arguments))) co_return *code;
  if (runtime.has_devices()) {
    co_await measure_large<DeviceLoad>(runtime, "device");
    co_return 0;
  }
  measure_strategy("greedy", 100'000, 1024, kaon::strategies::greedy);
  measure_strategy("greedy", 1000, 64, kaon::strategies::greedy);
  measure_strategy("refine", 100'000, 1024, kaon::strategies::refine);
  co_await measure_steps(runtime, 100'000, 8, kaon::strategies::none, "none");
  co_await measure_steps(runtime, 100'000, 8, kaon::strategies::greedy, "greedy");
  co_await measure_steps(runtime, 100'000, 8, kaon::strategies::gossip, "gossip");
  co_await measure_steps(runtime, 1000, 8, kaon::strategies::greedy, "greedy");
  co_await measure_steps(runtime, 10'000, 1024, kaon::strategies::rotate, "rotate");
  co_await measure_large<Load>(runtime, "host");
  co_await measure_messages(runtime);
  co_return 0;
}

}  // namespace balance

int main(int argc, char** argv) { return kaon::run(argc, argv, balance::bench); }
