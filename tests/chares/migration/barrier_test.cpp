// SPDX-License-Identifier: Apache-2.0
// Elements at the barrier, and of steps of main's, that do other things meanwhile.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "kaon/chares/migration/balancing.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::barriers {

constexpr int kCount = 8, kSteps = 5;

std::vector<int> arrived;  // by step
int naps = 0, early = 0;

void reset() {
  arrived.assign(kSteps, 0);
  naps = early = 0;
}

/// Notes whether somebody goes on before all were there.
class Racer : public Chare<Racer> {
 public:
  template <class Archive>
  void pup(Archive& archive) {
    archive(step_, is_at_barrier_);
  }
  /// Begins anew where it has moved.
  Task<> race() {
    go_on();
    while (step_ < kSteps) {
      arrive();
      co_await rebalance<&Racer::race>();
      go_on();
    }
  }
  void run() {
    go_on();
    if (step_ == kSteps) return;
    arrive();
    rebalance_then<&Racer::run>();
  }
  /// From PE to PE, by no step.
  void wander(int moves) {
    if (moves == 0) return;
    migrate_to((pe() + 1) % this_runtime().pes());
    self().send<&Racer::wander>(moves - 1);
  }
  Task<> nap(int us) {
    co_await this_runtime().sleep_for(std::chrono::microseconds(us));
    ++naps;
  }

 private:
  void arrive() {
    ++arrived.at(static_cast<std::size_t>(step_));
    is_at_barrier_ = true;
  }
  void go_on() {
    if (!std::exchange(is_at_barrier_, false)) return;
    if (arrived.at(static_cast<std::size_t>(step_++)) != kCount) ++early;
  }

  int step_ = 0;
  bool is_at_barrier_ = false;
};

/// `naps` of each element, some of which are taken while a step is under way.
Task<> race_with(Runtime& runtime, bool is_by_tasks, int naps_of_each, int steps_of_main) {
  const auto racers = co_await runtime.create<Racer>(kCount);
  co_await runtime.balance(racers, strategies::rotate);
  if (is_by_tasks)
    racers.broadcast<&Racer::race>();
  else
    racers.broadcast<&Racer::run>();
  for (int nap = 0; nap < naps_of_each; ++nap) {
    co_await this_runtime().sleep_for(std::chrono::microseconds(1));
    for (int i = 0; i < kCount; ++i) racers[i].send<&Racer::nap>(i % 3);
  }
  for (int step = 0; step < steps_of_main; ++step) co_await runtime.rebalance(racers, strategies::rotate);
  co_await runtime.quiescence();
  CHECK(early == 0);
  CHECK(naps == kCount * naps_of_each);
  CHECK(arrived == std::vector<int>(kSteps, kCount));
}

Task<> step_while_all_wander(Runtime& runtime) {
  const auto racers = co_await runtime.create<Racer>(kCount);
  co_await runtime.balance(racers, strategies::none);
  racers.broadcast<&Racer::wander>(20);
  for (int step = 0; step < 4; ++step) {
    const BalanceStep done = co_await runtime.rebalance(racers, strategies::rotate);
    CHECK(done.elements == kCount);
  }
}

void race_in_orders(std::uint64_t seeds, const Scene::MainTask& task) {
  run_in_any_order({2, 2}, {1, seeds}, task, reset);
}

TEST_CASE("who begins something else at the barrier stays, and nobody goes on before all are there",
          "[chares][balancing]") {
  race_in_orders(20, [](Runtime& runtime) { return race_with(runtime, true, 8, 0); });
  race_in_orders(20, [](Runtime& runtime) { return race_with(runtime, false, 8, 0); });
}
TEST_CASE("steps of main's and of the barrier meet in many orders", "[chares][balancing]") {
  race_in_orders(60, [](Runtime& runtime) { return race_with(runtime, true, 2, 4); });
  race_in_orders(60, [](Runtime& runtime) { return race_with(runtime, false, 2, 4); });
}
TEST_CASE("a step of main's waits for those that it has moved, not for who moves beside it", "[chares][balancing]") {
  race_in_orders(40, step_while_all_wander);
}

}  // namespace kaon::testing::barriers
