// SPDX-License-Identifier: Apache-2.0
// Programs of chares made up by seeds, each run in one thread in an order that the seed chooses: see `./dev simulate`.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <string>

#include "tests/simulation/activities.hpp"
#include "tests/simulation/plan.hpp"

namespace kaon::testing::simulation {
namespace {

using Clock = std::chrono::steady_clock;

struct Wanted {
  std::uint64_t first = 1, seeds = 500;
  double seconds = 0;
  int runs = 2000;
  std::string only;
};

bool has_activity(const Plan& plan, const std::string& name) {
  for (const auto& round : plan.rounds)
    for (const Act& act : round)
      if (activities()[act.activity].name == name) return true;
  return false;
}

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void report(std::uint64_t seed, const Plan& plan, const std::string& fault, int runs) {
  std::printf("seed %llu: %s\n%s\n", static_cast<unsigned long long>(seed), fault.c_str(), plan.text().c_str());
  std::fflush(stdout);
  if (runs == 0) return;
  const Plan small = smaller(plan, runs);
  const auto left = fault_of(small);
  std::printf("as much is enough for a fault (%s): %s\n", left ? left->c_str() : "none now", small.text().c_str());
}

int simulate(const Wanted& wanted) {
  const auto start = Clock::now();
  std::uint64_t done = 0;
  for (std::uint64_t seed = wanted.first; seed < wanted.first + wanted.seeds; ++seed) {
    if (wanted.seconds > 0 && seconds_since(start) > wanted.seconds) break;
    const Plan plan = Plan::from_seed(seed);
    if (!wanted.only.empty() && !has_activity(plan, wanted.only)) continue;
    if (const auto fault = fault_of(plan)) {
      report(seed, plan, *fault, wanted.runs);
      return 1;
    }
    ++done;
  }
  const double seconds = seconds_since(start);
  std::printf("%llu programs from seed %llu on, %.0f a second: no fault\n", static_cast<unsigned long long>(done),
              static_cast<unsigned long long>(wanted.first), static_cast<double>(done) / seconds);
  return 0;
}

std::string names() {
  std::string text;
  for (const Activity& each : activities()) text += (text.empty() ? "" : ", ") + std::string(each.name);
  return text;
}

}  // namespace
}  // namespace kaon::testing::simulation

int main(int argc, char** argv) {
  namespace simulation = kaon::testing::simulation;
  simulation::Wanted wanted;
  CLI::App app("Runs programs of chares that seeds make up, in one thread, in orders that seeds choose.");
  app.add_option("--seeds", wanted.seeds, "how many")->capture_default_str();
  app.add_option("--first", wanted.first, "the first of them; with --seeds 1 one is run again")->capture_default_str();
  app.add_option("--seconds", wanted.seconds, "no further program is begun after these; 0: no limit");
  app.add_option("--runs", wanted.runs, "of programs that are tried to find a small one with a fault; 0: none")
      ->capture_default_str();
  app.add_option("NAME", wanted.only, "only programs with this activity: " + simulation::names());
  CLI11_PARSE(app, argc, argv);
  return simulation::simulate(wanted);
}
