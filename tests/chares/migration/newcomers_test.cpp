// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdint>
#include <stdexcept>

#include "kaon/chares/migration/balancing.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::newcomers {

int ended = 0;
PeId pes = 1;

/// Can be packed on PE 0 alone.
struct Brittle {
  int value = 0;
  template <class Archive>
  void pup(Archive& archive) {
    archive(value);
    if constexpr (Archive::is_saving)
      if (this_runtime().pe() != 0) throw std::domain_error("it broke");
  }
};

constexpr int kMostGeneration = 3;

/// Inserts another one before each step, on another PE, that comes to the barrier as often as itself from then on, and
/// inserts others before.
class Settler : public Chare<Settler, int> {
 public:
  Settler() = default;
  explicit Settler(int steps, int generation = 0) : steps_(steps), generation_(generation) {}
  explicit Settler(const Brittle&) { throw std::domain_error("it is not made"); }
  template <class Archive>
  void pup(Archive& archive) {
    archive(steps_, generation_, children_);
  }
  void walk() {
    if (steps_ == 0) return (void)++ended;
    bear<&Settler::walk>();
    rebalance_then<&Settler::walk>();
  }
  Task<> walk_as_task() {
    while (steps_ > 0) {
      bear<&Settler::walk_as_task>();
      co_await rebalance<&Settler::walk_as_task>();
    }
    ++ended;
  }
  /// Inserts one that is there already, which fails on its PE, and comes to the barrier.
  Task<> clash() {
    try {
      co_await array()[index() ^ 1].insert_and_wait(0);
    } catch (const UsageError&) {
      ++ended;
    }
    co_await rebalance<&Settler::rest>();
    ++ended;
  }
  /// Who has moved goes on here.
  void rest() { ++ended; }

 private:
  template <auto E>
  void bear() {
    if (generation_ < kMostGeneration) {
      const auto child = array()[8 * index() + ++children_];
      child.insert_on((pe() + 1) % pes, steps_, generation_ + 1);
      child.template send<E>();
    }
    --steps_;
  }

  int steps_ = 0, generation_ = 0, children_ = 0;
};

constexpr int kFirst = 1, kSteps = 4;

/// Those that come of one with so many steps to go.
constexpr int family(int steps, int generation) {
  int all = 1;
  for (int left = steps; left > 0 && generation < kMostGeneration; --left) all += family(left, generation + 1);
  return all;
}

template <auto E>
Task<> settle(Runtime& runtime) {
  pes = runtime.pes();
  const auto settlers = co_await runtime.create_sparse<Settler>();
  co_await runtime.balance(settlers, strategies::rotate);
  co_await settlers[kFirst].insert_and_wait(kSteps);
  settlers[kFirst].template send<E>();
  co_await runtime.quiescence();
  CHECK(ended == family(kSteps, 0));
}

Task<> clash(Runtime& runtime) {
  const auto settlers = co_await runtime.create_sparse<Settler>();
  co_await runtime.balance(settlers, strategies::rotate);
  for (int i = 0; i < 4; ++i) co_await settlers[i].insert_and_wait(0);
  for (int i = 0; i < 4; ++i) settlers[i].send<&Settler::clash>();
  co_await runtime.quiescence();
  CHECK(ended == 8);
}

/// main inserts one that cannot be made, or not be sent on by its home, while all others come to the barrier.
Task<> fail_to_insert(Runtime& runtime, int index, std::chrono::microseconds pause) {
  constexpr int kCount = 4;
  const auto settlers = co_await runtime.create_sparse<Settler>();
  co_await runtime.balance(settlers, strategies::rotate);
  for (int i = 0; i < kCount; ++i) co_await settlers[i].insert_and_wait(1, kMostGeneration);
  for (int i = 0; i < kCount; ++i) settlers[i].send<&Settler::walk>();
  co_await runtime.sleep_for(pause);
  try {
    co_await settlers[kCount + index].insert_on_and_wait(runtime.pes() - 1, Brittle());
    FAIL("an element was made that throws");
  } catch (const std::domain_error&) {
  }
  co_await runtime.quiescence();
  CHECK(ended == kCount);
}

void reset() { ended = 0; }

TEST_CASE("whom an entry inserts is at the barrier with who has inserted it", "[chares][balancing]") {
  run_everywhere(settle<&Settler::walk>, reset);
  run_everywhere(settle<&Settler::walk_as_task>, reset);
}
TEST_CASE("those at the barrier do not wait for an insertion that fails", "[chares][balancing]") {
  run_everywhere(clash, reset);
}
TEST_CASE("newcomers are at the barrier in many orders of events", "[chares][balancing]") {
  for (const auto& task : {settle<&Settler::walk>, settle<&Settler::walk_as_task>, clash})
    run_in_any_order({2, 2}, {1, 149}, task, reset);
}
TEST_CASE("those at the barrier do not wait for what main inserts in vain, in many orders of events",
          "[chares][balancing]") {
  for (std::uint64_t seed = 1; seed < 200; ++seed) {
    INFO("seed " << seed);
    reset();
    Scene scene({4, 1}, default_options(), seed);
    scene.network().set_order(LoopbackNetwork::Order::any);
    scene.run([seed](Runtime& runtime) {
      return fail_to_insert(runtime, static_cast<int>(seed % 10), std::chrono::microseconds(seed / 10 % 40));
    });
  }
}

}  // namespace kaon::testing::newcomers
