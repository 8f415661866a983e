// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/migration/balancing_centre.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::balancing_centres {

int alive = 0;

void reset() { CHECK(alive == 0); }

/// main's steps, of elements that are busy meanwhile.
class Busy : public Chare<Busy> {
 public:
  Inbox<int> never;
  Busy() { ++alive; }
  explicit Busy(int) { ++alive; }
  ~Busy() { --alive; }
  template <class Archive>
  void pup(Archive& archive) {
    archive(never, count_);
  }
  void work() {
    ++count_;
    add_load(1.0 + index().x);
  }
  Task<> long_work() {
    co_await this_runtime().sleep_for(std::chrono::microseconds(10));
    ++count_;
  }
  Task<> wait() { co_await never.next(); }
  /// Some time later.
  void end(int turns) {
    if (turns > 0) return self().send<&Busy::end>(turns - 1);
    destroy();
  }
  /// Some time later, is at rest and wants to be where it is.
  void stay(int turns) {
    if (turns > 0) return self().send<&Busy::stay>(turns - 1);
    migrate_to(pe());
    self().send<&Busy::never>(1);
  }
  int count() const { return count_; }
  PeId where() const { return pe(); }

 private:
  int count_ = 0;
};

class Destroyer : public Chare<Destroyer> {
 public:
  explicit Destroyer(Proxy<Busy> array) { self().send<&Destroyer::run>(array, 3); }
  /// Some time later.
  void run(Proxy<Busy> array, int turns) {
    if (turns > 0) return self().send<&Destroyer::run>(array, turns - 1);
    array.destroy();
    destroy();
  }
};

Task<> step_of_main(Runtime& runtime) {
  const int count = 4 * static_cast<int>(runtime.pes());
  const auto busy = co_await runtime.create<Busy>(count, 0);
  co_await runtime.balance(busy, {});
  for (int round = 0; round < 3; ++round) {
    busy.broadcast<&Busy::work>();
    co_await runtime.quiescence();
    for (int i = 0; i < count; ++i) busy[i].send<&Busy::long_work>();
    const BalanceStep step = co_await runtime.rebalance(busy, strategies::greedy);
    CHECK(step.elements == static_cast<std::uint64_t>(count));
    CHECK(step.most_after <= 1.01 * step.most_before);
    CHECK(step.most_after < 1.1 * step.mean_seconds);
    co_await runtime.quiescence();
    CHECK(alive == count);
  }
  const int all = co_await busy.call_all<&Busy::count>(sum);
  CHECK(all == 6 * count);
  const BalanceStep rotated = co_await runtime.rebalance(busy, strategies::rotate);
  CHECK(rotated.moved == (runtime.pes() > 1 ? static_cast<std::uint64_t>(count) : 0));
}

Task<> refuse(Runtime& runtime, Strategy strategy) {
  const auto busy = co_await runtime.create<Busy>(6, 0);
  co_await runtime.rebalance(busy, std::move(strategy));
}
std::string refused(const Strategy& strategy) {
  return thrown<UsageError>([&] { Scene({2, 2}).run([&](Runtime& runtime) { return refuse(runtime, strategy); }); });
}

Task<> all_stay_after_failure(Runtime& runtime) {
  const auto busy = co_await runtime.create<Busy>(9, 0);
  const PeId before = co_await busy.call_all<&Busy::where>(sum);
  bool has_thrown = false;
  try {
    co_await runtime.rebalance(busy, [](const LoadReport& report) -> std::vector<PeId> {
      throw std::runtime_error(std::to_string(report.elements.size()) + " are too many");
    });
  } catch (const UsageError& error) {
    has_thrown = has(error.what(), "threw: 9 are too many");
  }
  CHECK(has_thrown);
  const PeId after = co_await busy.call_all<&Busy::where>(sum);
  CHECK(after == before);
  const BalanceStep step = co_await runtime.rebalance(busy, strategies::rotate);  // it goes on
  CHECK(step.elements == 9);
}

TEST_CASE("main balances an array, whose elements leave when they are at rest", "[chares][balancing]") {
  run_everywhere(step_of_main, reset);
}
TEST_CASE("nothing moves when a strategy fails", "[chares][balancing]") {
  run_everywhere(all_stay_after_failure, reset);
}
TEST_CASE("a strategy that gives no places is refused", "[chares][balancing]") {
  CHECK(has(refused([](const LoadReport&) { return std::vector<PeId>(2, 0); }), "gave 2 places for 6 elements"));
  CHECK(has(refused([](const LoadReport&) { return std::vector<PeId>(6, 4); }), "named PE 4: the run has PEs 0 to 3"));
}
TEST_CASE("what elements take is measured while their array is balanced, and not before", "[chares][balancing]") {
  Scene({1, 2}).run([](Runtime& runtime) -> Task<> {
    const auto busy = co_await runtime.create<Busy>(4, 0);
    LoadReport seen;
    const Strategy look = [&seen](const LoadReport& report) { return seen = report, report.places(); };
    busy.broadcast<&Busy::work>();
    co_await runtime.quiescence();
    co_await runtime.rebalance(busy, look);
    for (const ElementLoad& each : seen.elements) CHECK(each.seconds == 0);
    busy.broadcast<&Busy::work>();
    busy[2].send<&Busy::work>();
    co_await runtime.quiescence();
    co_await runtime.rebalance(busy, look);
    REQUIRE(seen.elements.size() == 4);
    CHECK(seen.elements[3].seconds > 4);  // as added, and the entry's own time
    CHECK(seen.elements[3].seconds < 5);
    CHECK(seen.elements[2].seconds > 6);
    co_await runtime.rebalance(busy, look);
    CHECK(seen.elements[3].seconds == 0);
  });
}

TEST_CASE("nobody measures any more when the last balanced array is gone", "[chares][balancing]") {
  Scene scene({1, 2});
  scene.run([&scene](Runtime& runtime) -> Task<> {
    const auto is_measured = [&] { return scene.network().pe(1).turn_meter().is_on(); };
    const auto one = co_await runtime.create<Busy>(4, 0);
    const auto other = co_await runtime.create<Busy>(4, 0);
    CHECK(!is_measured());
    co_await runtime.balance(one, strategies::none);
    co_await runtime.balance(other, strategies::none);
    co_await one.destroy_and_wait();
    CHECK(is_measured());
    co_await other.destroy_and_wait();
    CHECK(!is_measured());
  });
}

TEST_CASE("main's step is over when those that were to move have ended, or stay", "[chares][balancing]") {
  for (const bool is_end : {true, false}) {
    run_everywhere(
        [is_end](Runtime& runtime) -> Task<> {
          const auto busy = co_await runtime.create<Busy>(3 * static_cast<int>(runtime.pes()), 0);
          busy.broadcast<&Busy::wait>();
          co_await runtime.quiescence();
          if (is_end)
            busy.broadcast<&Busy::end>(30);
          else
            busy.broadcast<&Busy::stay>(30);
          const BalanceStep step = co_await runtime.rebalance(busy, strategies::rotate);
          if (is_end) CHECK(step.moved == 0);  // who is at rest before it is told to move does move
        },
        reset);
  }
}

TEST_CASE("main is told when an array is destroyed before its step is over", "[chares][balancing]") {
  run_everywhere(
      [](Runtime& runtime) -> Task<> {
        const auto busy = co_await runtime.create<Busy>(3 * static_cast<int>(runtime.pes()), 0);
        busy.broadcast<&Busy::wait>();
        co_await runtime.quiescence();
        this_runtime().make<Destroyer>(busy);
        bool is_told = false;
        try {
          co_await runtime.rebalance(busy, strategies::rotate);
        } catch (const UsageError& error) {
          is_told = has(error.what(), "was destroyed");
        }
        CHECK((is_told || runtime.pes() == 1));  // where nothing is to move the step is over at once
      },
      reset);
}

}  // namespace kaon::testing::balancing_centres
