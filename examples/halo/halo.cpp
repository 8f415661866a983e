// SPDX-License-Identifier: Apache-2.0
// Plates of several resolutions, as multigrid methods have them, cut into strips: each step relaxes all of them, and
// each strip needs rows of the strips beside it. Three ways to drive it have equal results, digit by digit:
//   halo --way tasks | streams | kernel | all
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "examples/halo/strip.hpp"

namespace halo {

/// Of the whole plate, by one processor: the cells of one level.
std::vector<float> relaxed(const Plan& plan, std::uint32_t level) {
  const std::uint32_t rows = plan.levels.rows_of(level) * plan.strips, columns = plan.levels.columns_of(level);
  std::vector<float> from(std::size_t{rows} * columns), to(from.size());
  const auto cell = [&](std::uint32_t row, std::uint32_t column) {
    return from[std::size_t{row % rows} * columns + column % columns];
  };
  for (std::uint32_t i = 0; i < from.size(); ++i) from[i] = value_at_begin(level, i / columns, i % columns);
  for (std::uint32_t step = 0; step < plan.steps; ++step) {
    for (std::uint32_t row = 0; row < rows; ++row)
      for (std::uint32_t column = 0; column < columns; ++column)
        to[std::size_t{row} * columns + column] = 0.25F * ((cell(row + rows - 1, column) + cell(row + 1, column)) +
                                                           (cell(row, column + columns - 1) + cell(row, column + 1)));
    std::swap(from, to);
  }
  return from;
}

std::size_t differences(const Plan& plan, const std::vector<std::vector<float>>& strips) {
  std::size_t count = 0;
  for (std::uint32_t level = 0; level < plan.levels.count; ++level) {
    const std::vector<float> wanted = relaxed(plan, level);
    const std::size_t cells = wanted.size() / strips.size(), first = plan.levels.offset_of(level);
    for (std::size_t i = 0; i < wanted.size(); ++i) count += strips[i / cells][first + i % cells] != wanted[i];
  }
  return count;
}

/// Seconds of the slowest strip, and cells that are wrong.
kaon::Task<std::pair<double, std::size_t>> relax(kaon::Runtime& runtime, Plan plan) {
  const auto strips = co_await runtime.create_group<Strip>();
  const int pes = static_cast<int>(runtime.pes());
  std::vector<Offer> offers;
  for (int pe = 0; pe < pes; ++pe) {
    const Offer offer = co_await strips[pe].call<&Strip::prepare>(plan, static_cast<std::uint32_t>(pe));
    offers.push_back(offer);
  }
  for (int pe = 0; pe < pes; ++pe)
    co_await strips[pe].call<&Strip::connect>(offers[(pe + pes - 1) % pes], offers[(pe + 1) % pes]);
  const double seconds = co_await strips.call_all<&Strip::run>(kaon::max, strips);
  std::vector<std::vector<float>> results;
  for (int pe = 0; pe < pes; ++pe) {
    std::vector<float> cells = co_await strips[pe].call<&Strip::result>();
    results.push_back(std::move(cells));
  }
  co_return std::pair(seconds, differences(plan, results));
}

kaon::Task<int> run(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  Plan plan{{3, 64, 256}, static_cast<std::uint32_t>(runtime.pes()), 50, Way::tasks};
  std::string way = "all";
  CLI::App app("Relaxes plates of several resolutions, cut into strips, one on each PE.");
  app.add_option("--way", way, "who starts steps and waits for neighbors")
      ->check(CLI::IsMember({"tasks", "streams", "kernel", "all"}))
      ->capture_default_str();
  app.add_option("--levels", plan.levels.count, "resolutions")->check(CLI::Range(1, 12))->capture_default_str();
  app.add_option("--rows", plan.levels.rows, "of a strip on the finest level")
      ->check(CLI::Range(2, 1 << 20))
      ->capture_default_str();
  app.add_option("--columns", plan.levels.columns, "on the finest level")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  app.add_option("--steps", plan.steps)->check(CLI::Range(1, 1'000'000))->capture_default_str();
  app.footer(kaon::options_help());
  if (const auto code = kaon::parse(app, std::move(arguments))) co_return *code;
  const std::uint32_t last = plan.levels.count - 1;
  if (plan.levels.rows_of(last) < 2 || plan.levels.columns_of(last) < 1)
    throw kaon::UsageError(
        "the coarsest level of a strip needs 2 rows and 1 column: give --levels less, or --rows and "
        "--columns more");
  const std::pair<const char*, Way> ways[] = {
      {"tasks", Way::tasks}, {"streams", Way::streams}, {"kernel", Way::kernel}};
  std::size_t wrong = 0;
  for (const auto& [name, each] : ways) {
    if (way != "all" && way != name) continue;
    plan.way = each;
    const auto [seconds, cells] = co_await relax(runtime, plan);
    std::printf("%-8s %8.1f us a step, %zu cells wrong\n", name, seconds / plan.steps * 1e6, cells);
    wrong += cells;
  }
  co_return wrong == 0 ? 0 : 1;
}

}  // namespace halo

int main(int argc, char** argv) { return kaon::run(argc, argv, halo::run, kaon::with_devices); }
