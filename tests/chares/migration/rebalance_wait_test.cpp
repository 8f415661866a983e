// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/migration/rebalance_wait.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/chares/counted_argument.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::rebalance_waits {

constexpr int kMany = 1000;
int alive = 0;
int least_alive = kMany;

class Traveller : public Chare<Traveller> {
 public:
  Inbox<int> ends;

  Traveller() { ++alive; }
  explicit Traveller(int) { ++alive; }
  ~Traveller() { --alive; }
  template <class Archive>
  void pup(Archive& archive) {
    archive(ends, steps_, places_);
  }

  Task<PeId> meet(PeId to) {
    if (steps_++ == 0) {
      migrate_to(to);
      co_await rebalance<&Traveller::meet>(to);
    }
    co_return pe();
  }
  void wait_twice() {
    rebalance_then<&Traveller::note>();
    rebalance_then<&Traveller::note>();
  }
  void wait_and_go() { rebalance_then<&Traveller::note>(); }
  void wait_with_argument() { rebalance_then<&Traveller::take>(CountedArgument()); }
  void take(CountedArgument) {}
  void note() {
    places_.push_back(pe());
    least_alive = std::min(least_alive, alive);
  }
  void wander_and_wait(PeId to, int moves) {
    if (moves == 0) return wait_and_go();
    migrate_to((to + static_cast<PeId>(moves)) % this_runtime().pes());
    self().send<&Traveller::wander_and_wait>(to, moves - 1);
  }
  void go(PeId to) { migrate_to(to); }
  void end() { destroy(); }
  std::vector<PeId> places() const { return places_; }

 private:
  int steps_ = 0;
  std::vector<PeId> places_;
};

void reset() {
  CHECK(alive == 0);
  least_alive = kMany;
}

/// Who was told to move goes where that is, not where the strategy wants it.
Task<> go_on_own_ways(Runtime& runtime) {
  const auto travellers = co_await runtime.create<Traveller>(5, 0);
  co_await runtime.balance(travellers, strategies::rotate);
  const PeId to = runtime.pes() / 2;
  const PeId least = co_await travellers.call_all<&Traveller::meet>(min, to);
  CHECK(least == to);
  const PeId most = co_await travellers.call_all<&Traveller::meet>(max, to);
  CHECK(most == to);
}

/// Moves and ends that come while elements wait without coroutines.
Task<> interrupted(Runtime& runtime) {
  const auto travellers = co_await runtime.create<Traveller>(6, 0);
  co_await runtime.balance(travellers, strategies::none);
  for (int i = 0; i < 5; ++i) travellers[i].send<&Traveller::wait_and_go>();
  co_await runtime.quiescence();
  travellers[0].send<&Traveller::go>(runtime.pes() - 1);  // when the step is over
  travellers[1].send<&Traveller::end>();                  // at once
  co_await runtime.quiescence();
  CHECK(alive == 5);
  for (const int i : {0, 2, 3, 4}) {
    const auto places = co_await travellers[i].call<&Traveller::places>();
    CHECK(places.empty());
  }
  travellers[5].send<&Traveller::end>();  // so that all are there
  co_await runtime.quiescence();
  for (const int i : {0, 2, 3, 4}) {
    const auto places = co_await travellers[i].call<&Traveller::places>();
    REQUIRE(places.size() == 1);
    if (i == 0) CHECK(places.front() == runtime.pes() - 1);
  }
}

/// Some are on their way from PE to PE while all others are at the barrier; and none goes on before all are there.
Task<> wait_for_wanderers(Runtime& runtime) {
  constexpr int kCount = 12;
  const auto travellers = co_await runtime.create<Traveller>(kCount, 0);
  co_await runtime.balance(travellers, strategies::rotate);
  for (int i = 0; i < kCount; ++i)
    travellers[i].send<&Traveller::wander_and_wait>(static_cast<PeId>(i), i % 4 == 0 ? 6 : 0);
  co_await runtime.quiescence();
  CHECK(alive == kCount);
  CHECK(least_alive == kCount);
  for (int i = 0; i < kCount; ++i) {
    const auto places = co_await travellers[i].call<&Traveller::places>();
    CHECK(places.size() == 1);
  }
}

/// A run that ends while some wait leaves nothing behind.
Task<> end_meanwhile(Runtime& runtime) {
  const auto travellers = co_await runtime.create<Traveller>(6, 0);
  co_await runtime.balance(travellers, strategies::rotate);
  travellers[0].send<&Traveller::wait_with_argument>();
  for (int i = 1; i < 5; ++i) travellers[i].send<&Traveller::meet>(0u);
  co_await runtime.quiescence();
  CHECK(CountedArgument::alive == 1);
}

TEST_CASE("migrate_to() goes before the strategy", "[chares][balancing]") { run_everywhere(go_on_own_ways, reset); }
TEST_CASE("a step waits for elements on their way, and for their arrival", "[chares][balancing]") {
  run_everywhere(wait_for_wanderers, reset);
  run_in_any_order({2, 2}, {200, 299}, wait_for_wanderers, reset);
}
TEST_CASE("elements that wait at the barrier are told to move, and end", "[chares][balancing]") {
  run_everywhere(interrupted, reset);
}
TEST_CASE("a run ends while elements wait at the barrier", "[chares][balancing]") {
  run_everywhere(end_meanwhile, reset);
  CHECK(alive == 0);
  CHECK(CountedArgument::alive == 0);
}
TEST_CASE("an element that comes to the barrier twice is refused", "[chares][balancing]") {
  const auto run = [](Runtime& runtime) -> Task<> {
    const auto travellers = co_await runtime.create<Traveller>(2, 0);
    co_await runtime.balance(travellers, strategies::none);
    co_await travellers[0].call<&Traveller::wait_twice>();
  };
  CHECK(has(thrown<UsageError>([&] { Scene({1, 1}).run(run); }), "called rebalance() again before"));
  CHECK(alive == 0);
}
TEST_CASE("who waits for others at the barrier says so", "[chares][balancing]") {
  Scene scene({2, 1});
  scene.start([](Runtime& runtime) -> Task<> {
    const auto travellers = co_await runtime.create<Traveller>(2, 0);
    co_await runtime.balance(travellers, strategies::none);
    co_await travellers[1].call<&Traveller::meet>(1u);
  });
  scene.network().run_until_idle();
  CHECK(!scene.all_ended());
  CHECK(has(scene.waits(), "for rebalance() of the others of its array"));
}

}  // namespace kaon::testing::rebalance_waits
