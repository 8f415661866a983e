// SPDX-License-Identifier: Apache-2.0
// What balancing costs: strategies alone, a step in which nothing moves, and one in which all elements do.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

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

/// Elements of 1 to 2 us, all on the first half of the PEs.
kaon::LoadReport report_of(std::uint64_t count, kaon::PeId pes) {
  kaon::LoadReport report;
  report.pes = pes;
  for (std::uint64_t i = 0; i < count; ++i)
    report.elements.push_back(
        {i, 1e-6 + 1e-9 * static_cast<double>(i * 7919 % 1000), static_cast<kaon::PeId>(i * (pes / 2) / count), 1});
  return report;
}

void measure_strategy(const std::string& name, const kaon::Strategy& strategy) {
  constexpr std::uint64_t kCount = 100'000;
  constexpr kaon::PeId kPes = 1024;
  const kaon::LoadReport report = report_of(kCount, kPes);
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto start = Clock::now();
    const auto places = strategy(report);
    best = std::min(best, kaon::bench::seconds_between(start, Clock::now()));
    if (places.size() != kCount) throw kaon::UsageError("a strategy lost elements");
  }
  kaon::bench::print_measurement(name + " of 100,000 elements over 1,024 PEs", best * 1e3, "ms");
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

kaon::Task<int> bench(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  CLI::App app("Measures strategies, and steps of balancing with and without moves.");
  app.footer(kaon::options_help());
  if (const auto code = kaon::parse(app, std::move(arguments))) co_return *code;
  measure_strategy("greedy", kaon::strategies::greedy);
  measure_strategy("refine", kaon::strategies::refine);
  co_await measure_steps(runtime, 100'000, 8, kaon::strategies::none, "none");
  co_await measure_steps(runtime, 100'000, 8, kaon::strategies::greedy, "greedy");
  co_await measure_steps(runtime, 10'000, 1024, kaon::strategies::rotate, "rotate");
  co_return 0;
}

}  // namespace balance

int main(int argc, char** argv) { return kaon::run(argc, argv, balance::bench); }
