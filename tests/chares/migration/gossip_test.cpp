// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/migration/gossip.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::gossips {

int alive = 0;

void reset() { CHECK(alive == 0); }

/// Takes as long as its index says.
class Weight : public Chare<Weight> {
 public:
  Weight() { ++alive; }
  Weight(int steps, bool goes_first) : steps_(steps) {
    ++alive;
    if (goes_first) migrate_to(0);
  }
  ~Weight() { --alive; }
  template <class Archive>
  void pup(Archive& archive) {
    archive(steps_, step_);
  }
  void work() { add_load(1.0 + index().x % 5); }
  Task<int> iterate() {
    while (step_ < steps_) {
      ++step_;
      work();
      co_await rebalance<&Weight::iterate>();
    }
    co_return step_;
  }

 private:
  int steps_ = 0, step_ = 0;
};

/// All begin on PE 0.
Task<> spread(Runtime& runtime) {
  const int count = 24 * static_cast<int>(runtime.pes());
  const auto weights = co_await runtime.create<Weight>(count, 4, true);
  co_await runtime.quiescence();
  co_await runtime.balance(weights, strategies::gossip);
  const int steps = co_await weights.call_all<&Weight::iterate>(sum);
  CHECK(steps == 4 * count);
  CHECK(alive == count);
  const BalancingReport report = runtime.balancing_report(weights);
  REQUIRE(report.steps == 4);
  for (std::size_t i = 0; i < report.latest.size(); ++i) {
    const BalanceStep& step = report.latest[i];
    CHECK(step.elements == static_cast<std::uint64_t>(count));
    CHECK(step.most_after <= 1.001 * step.most_before);
    if (i > 0) CHECK(step.most_before < 1.02 * report.latest[i - 1].most_after);  // as was said
  }
  CHECK(report.latest.back().most_after < 1.15 * report.latest.back().mean_seconds);
  if (runtime.pes() > 1) CHECK(report.latest.front().moved > 0);
}

Task<> spread_by_main(Runtime& runtime) {
  const int count = 30 * static_cast<int>(runtime.pes());
  const auto weights = co_await runtime.create<Weight>(count, 0, true);
  co_await runtime.balance(weights, {});
  BalanceStep step;
  for (int i = 0; i < 3; ++i) {
    weights.broadcast<&Weight::work>();
    co_await runtime.quiescence();
    step = co_await runtime.rebalance(weights, strategies::gossip);
  }
  CHECK(step.most_after < 1.15 * step.mean_seconds);
  CHECK(alive == count);
}

Task<> destroy_meanwhile(Runtime& runtime) {
  const auto weights = co_await runtime.create<Weight>(8 * static_cast<int>(runtime.pes()), 100, true);
  co_await runtime.balance(weights, strategies::gossip);
  weights.broadcast<&Weight::iterate>();
  for (int i = 0; i < 20; ++i) co_await runtime.sleep_for(std::chrono::microseconds(1));
  co_await weights.destroy_and_wait();
  CHECK(alive == 0);
}

TEST_CASE("PEs that deal with each other even out loads", "[chares][balancing]") {
  run_everywhere(spread, reset);
  run_everywhere(spread_by_main, reset);
}
TEST_CASE("gossip reaches many PEs in many orders of events", "[chares][balancing]") {
  run_in_any_order({4, 4}, {1, 12}, spread, reset);
}
TEST_CASE("an array is destroyed while its PEs deal with each other", "[chares][balancing]") {
  run_in_any_order({2, 2}, {1, 20}, destroy_meanwhile, reset);
}
TEST_CASE("when_it_pays() of gossip is refused", "[chares][balancing]") {
  const std::string text = thrown<UsageError>([] { static_cast<void>(strategies::when_it_pays(strategies::gossip)); });
  CHECK(has(text, "automatic(gossip)"));
}

}  // namespace kaon::testing::gossips
