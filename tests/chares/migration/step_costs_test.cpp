// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/migration/step_costs.hpp"

#include <cstdint>
#include <vector>

#include "kaon/chares/migration/call_counts.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::step_costs {

int alive = 0;

void reset() { CHECK(alive == 0); }

/// Comes to points of rest as often as it likes, and now and then moves between them by itself.
class Sleeper : public Chare<Sleeper> {
 public:
  Sleeper() { ++alive; }
  Sleeper(int calls, bool wanders) : calls_(calls), wanders_(wanders) { ++alive; }
  ~Sleeper() { --alive; }
  template <class Archive>
  void pup(Archive& archive) {
    archive(calls_, wanders_, call_, sum_);
  }
  Task<int> iterate() {
    while (call_ < calls_) {
      sum_ += ++call_;
      if (wanders_ && (call_ * 7 + index().x) % 5 == 0)
        migrate_to(static_cast<PeId>(call_ + index().x) % this_runtime().pes());
      co_await rebalance<&Sleeper::iterate>();
    }
    co_return sum_;
  }
  void step() {
    if (call_ == calls_) return;
    sum_ += ++call_;
    rebalance_then<&Sleeper::step>();
  }
  int sum() const { return sum_; }

 private:
  int calls_ = 0;
  bool wanders_ = false;
  int call_ = 0, sum_ = 0;
};

constexpr int kCalls = 100;

Task<> sleep_with(Runtime& runtime, bool wanders) {
  const int count = 3 * static_cast<int>(runtime.pes());
  const auto sleepers = co_await runtime.create<Sleeper>(count, kCalls, wanders);
  co_await runtime.balance(sleepers, strategies::automatic(strategies::none));
  const int total = co_await sleepers.call_all<&Sleeper::iterate>(sum);
  CHECK(total == count * kCalls * (kCalls + 1) / 2);
  CHECK(alive == count);
  const BalancingReport report = runtime.balancing_report(sleepers);
  CHECK(report.steps >= 1);
  CHECK(report.steps <= 7);  // at calls 1, 3, 7, 15 ... or later
  CHECK(report.moved == 0);
  std::uint64_t calls = 0;
  for (const BalanceStep& each : report.latest) calls += each.calls;
  CHECK(calls <= kCalls);
}

Task<> sleep_through(Runtime& runtime) { return sleep_with(runtime, false); }
Task<> wander_through(Runtime& runtime) { return sleep_with(runtime, true); }

Task<> sleep_without_coroutines(Runtime& runtime) {
  const int count = 2 * static_cast<int>(runtime.pes()) + 1;
  const auto sleepers = co_await runtime.create<Sleeper>(count, kCalls, false);
  co_await runtime.balance(sleepers, strategies::automatic(strategies::rotate));
  sleepers.broadcast<&Sleeper::step>();
  co_await runtime.quiescence();
  const int total = co_await sleepers.call_all<&Sleeper::sum>(sum);
  CHECK(total == count * kCalls * (kCalls + 1) / 2);
}

/// Steps of main's move elements between the calls that wait.
Task<> moved_by_main(Runtime& runtime) {
  const int count = 2 * static_cast<int>(runtime.pes());
  const auto sleepers = co_await runtime.create<Sleeper>(count, kCalls, false);
  co_await runtime.balance(sleepers, strategies::automatic(strategies::none));
  sleepers.broadcast<&Sleeper::step>();
  for (int i = 0; i < 5; ++i) co_await runtime.rebalance(sleepers, strategies::rotate);
  co_await runtime.quiescence();
  const int total = co_await sleepers.call_all<&Sleeper::sum>(sum);
  CHECK(total == count * kCalls * (kCalls + 1) / 2);
  const BalancingReport report = runtime.balancing_report(sleepers);
  CHECK(report.steps <= 12);
  CHECK(report.text().find("balancing an array of ") == 0);
}

BalanceStep step_of(std::uint64_t moved, double seconds) {
  BalanceStep step;
  step.moved = moved;
  step.taken_seconds = seconds;
  return step;
}

TEST_CASE("moves are worth it when they were measured to cost less than they bring", "[chares][balancing]") {
  StepCosts costs;
  CHECK(costs.is_worth(1e-9, 100));  // nothing is known yet
  CHECK(!costs.is_worth(1, 0));
  CHECK(!costs.is_worth(0, 3));
  costs.step_ends(step_of(0, 0.5), false);
  CHECK(costs.is_worth(1e-9, 100));
  costs.step_ends(step_of(10, 1.5), false);  // a tenth of a second each, beside the step's own half
  CHECK(costs.is_worth(1.01, 10));
  CHECK(!costs.is_worth(0.99, 10));
  CHECK(costs.period() == 1);
}
TEST_CASE("steps become rarer while nothing moves, and more frequent when something does", "[chares][balancing]") {
  StepCosts costs;
  std::uint32_t before = costs.period();
  for (int i = 0; i < 12; ++i) {
    costs.step_ends(step_of(0, 0), true);
    CHECK(costs.period() >= std::min(2 * before, 1024u));
    before = costs.period();
  }
  CHECK(costs.period() == 1024);
  costs.step_ends(step_of(5, 0), true);
  CHECK(costs.period() == 512);
  costs.step_ends(step_of(0, 0), false);
  CHECK(costs.period() == 1);
}
TEST_CASE("calls are counted down to the one that waits, also where the last step's end is not known yet",
          "[chares][balancing]") {
  kaon::chares::CallCounts here, there;
  CHECK(here.is_to_wait(3));
  CHECK(here.take(3) == 0);
  here.begin(1, 3);
  CHECK(!here.is_to_wait(3));
  CHECK(!here.is_to_wait(3));
  const auto left = here.take(3);  // it goes to a PE that has not heard of the step's end
  there.put(3, left);
  CHECK(there.is_to_wait(3));
  CHECK(there.is_to_wait(4));
  there.begin(1, 3);
  CHECK(there.is_to_wait(3));
  CHECK(!there.is_to_wait(4));
  there.begin(2, 1);
  CHECK(there.is_to_wait(4));
}
TEST_CASE("most calls of rebalance() go on at once when balancing is automatic", "[chares][balancing]") {
  run_everywhere(sleep_through, reset);
  run_everywhere(sleep_without_coroutines, reset);
}
TEST_CASE("elements that move between two steps wait at the same call as others", "[chares][balancing]") {
  run_everywhere(wander_through, reset);
  run_everywhere(moved_by_main, reset);
  run_in_any_order({2, 2}, {1, 30}, wander_through, reset);
}

}  // namespace kaon::testing::step_costs
