// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "kaon/chares/balancing/balancing.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::newcomers {

int ended = 0;
PeId pes = 1;

constexpr int kMostGeneration = 3;

/// Inserts another one before each step, on another PE, that comes to the barrier as often as itself from then on, and
/// inserts others before.
class Settler : public Chare<Settler, int> {
 public:
  Settler() = default;
  explicit Settler(int steps, int generation = 0) : steps_(steps), generation_(generation) {}
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

void reset() { ended = 0; }

}  // namespace kaon::testing::newcomers

using namespace kaon::testing;
using namespace kaon::testing::newcomers;

TEST_CASE("whom an entry inserts is at the barrier with who has inserted it", "[chares][balancing]") {
  run_everywhere(settle<&Settler::walk>, reset);
  run_everywhere(settle<&Settler::walk_as_task>, reset);
}
TEST_CASE("those at the barrier do not wait for an insertion that fails", "[chares][balancing]") {
  run_everywhere(clash, reset);
}
TEST_CASE("newcomers are at the barrier in many orders of events", "[chares][balancing]") {
  for (std::uint64_t seed = 1; seed < 150; ++seed) {
    INFO("seed " << seed);
    for (const auto& task : {settle<&Settler::walk>, settle<&Settler::walk_as_task>, clash}) {
      reset();
      Scene scene({2, 2}, default_options(), seed);
      scene.network().set_order(LoopbackNetwork::Order::any);
      scene.run(task, static_cast<PeId>(seed % 4));
    }
  }
}
