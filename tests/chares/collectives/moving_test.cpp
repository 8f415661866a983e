// SPDX-License-Identifier: Apache-2.0
// Broadcasts and calls of all elements while these move, come and go: who is there all the time is reached exactly
// once.
#include <cstdint>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::moving {

constexpr int kCount = 40, kRounds = 12;
std::vector<int> got;  // by element, how often it ran
void reset() { got.assign(kCount, 0); }

class Bird : public Chare<Bird> {
 public:
  Bird() = default;
  template <class Archive>
  void pup(Archive&) {}

  void go(PeId to) { migrate_to(to); }
  void take(std::vector<int> text) {
    CHECK(text.size() == 3);
    ++got[static_cast<std::size_t>(index().x)];
  }
  int one() const { return 1; }
  int one_and_go(PeId to) {
    migrate_to((to + static_cast<PeId>(index().x)) % this_runtime().pes());
    return 1;
  }
  /// A task: it is suspended while others are asked, so that it moves after its answer.
  Task<int> one_later(PeId to) {
    migrate_to(to);
    co_await this_runtime().sleep_for(std::chrono::microseconds(1));
    co_return 1;
  }
  void end() { destroy(); }
  /// From every PE at once.
  void broadcast_from_here() { array().broadcast<&Bird::take>(std::vector<int>(3)); }
};

void stir(const Proxy<Bird>& birds, PeId pes, int round) {
  for (int i = 0; i < kCount; ++i)
    if ((i + round) % 3 != 0) birds[i].send<&Bird::go>(static_cast<PeId>(i * 5 + round * 3) % pes);
}

Task<> call_and_broadcast(Runtime& runtime, const Proxy<Bird>& birds) {
  const PeId pes = runtime.pes();
  for (int round = 0; round < kRounds; ++round) {
    stir(birds, pes, round);
    birds.broadcast<&Bird::take>(std::vector<int>(3));
    stir(birds, pes, round + 1);
    const int all = co_await birds.call_all<&Bird::one>(sum);
    CHECK(all == kCount);
    const int leaving = co_await birds.call_all<&Bird::one_and_go>(sum, static_cast<PeId>(round));
    CHECK(leaving == kCount);
    const int later = co_await birds.call_all<&Bird::one_later>(sum, static_cast<PeId>(round) % pes);
    CHECK(later == kCount);
    birds[round % kCount].send<&Bird::broadcast_from_here>();
  }
  co_await runtime.quiescence();
  for (const int times : got) CHECK(times == 2 * kRounds);
}

Task<> reach_all_of_dense(Runtime& runtime) {
  const auto birds = co_await runtime.create<Bird>(kCount);
  co_await call_and_broadcast(runtime, birds);
}

Task<> reach_all_of_sparse(Runtime& runtime) {
  const auto birds = co_await runtime.create_sparse<Bird>();
  for (int i = 0; i < kCount; ++i) co_await birds[i].insert_on_and_wait(static_cast<PeId>(i) % runtime.pes());
  co_await call_and_broadcast(runtime, birds);
}

/// Those with odd indices come and go meanwhile; the others stay, and are reached each time.
Task<> reach_who_stays(Runtime& runtime) {
  const auto birds = co_await runtime.create_sparse<Bird>();
  for (int i = 0; i < kCount; i += 2) co_await birds[i].insert_and_wait();
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 1; i < kCount; i += 2) {
      birds[i].insert_on(static_cast<PeId>(i + round) % runtime.pes());
      static_cast<void>(co_await birds[i].call<&Bird::one_and_go>(static_cast<PeId>(i * round)));
    }
    stir(birds, runtime.pes(), round);
    const int some = co_await birds.call_all<&Bird::one>(sum);
    CHECK(some >= kCount / 2);
    CHECK(some <= kCount);
    birds.broadcast<&Bird::take>(std::vector<int>(3));
    for (int i = 1; i < kCount; i += 2) birds[i].send<&Bird::end>();
    const int left = co_await birds.call_all<&Bird::one_and_go>(sum, 1u);
    CHECK(left >= kCount / 2);
    co_await runtime.quiescence();
  }
  for (int i = 0; i < kCount; i += 2) CHECK(got[static_cast<std::size_t>(i)] == kRounds);
  const int all = co_await birds.call_all<&Bird::one>(sum);
  CHECK(all == kCount / 2);
}

/// The same of a dense array, of which elements are deleted for good: who asks all hears of those that are left.
Task<> pass_over_the_deleted(Runtime& runtime) {
  const auto birds = co_await runtime.create<Bird>(kCount);
  for (int i = 0; i < kCount; i += 4) {
    stir(birds, runtime.pes(), i);
    birds[i].send<&Bird::end>();
    const int all = co_await birds.call_all<&Bird::one>(sum);
    CHECK(all >= kCount - i / 4 - 1);
    CHECK(all <= kCount - i / 4);
  }
  co_await runtime.quiescence();
  const int all = co_await birds.call_all<&Bird::one>(sum);
  CHECK(all == kCount - kCount / 4);
}

}  // namespace kaon::testing::moving

namespace mo = kaon::testing::moving;
using kaon::testing::LoopbackNetwork;
using kaon::testing::Scene;

TEST_CASE("a broadcast reaches each element of a dense array once while they move", "[chares][broadcast]") {
  kaon::testing::run_everywhere(mo::reach_all_of_dense, mo::reset);
}

TEST_CASE("a broadcast reaches each element of a sparse array once while they move", "[chares][broadcast]") {
  kaon::testing::run_everywhere(mo::reach_all_of_sparse, mo::reset);
}

TEST_CASE("a broadcast reaches who stays while others come and go", "[chares][broadcast]") {
  kaon::testing::run_everywhere(mo::reach_who_stays, mo::reset);
}

TEST_CASE("a call of all elements passes over the deleted", "[chares][broadcast]") {
  kaon::testing::run_everywhere(mo::pass_over_the_deleted, mo::reset);
}

TEST_CASE("broadcasts and moves meet in many orders", "[chares][broadcast]") {
  std::uint64_t seed = 1;
  for (const auto& task :
       {mo::reach_all_of_dense, mo::reach_all_of_sparse, mo::reach_who_stays, mo::pass_over_the_deleted}) {
    kaon::testing::run_in_any_order({3, 2}, {seed, seed + 9}, task, mo::reset);
    seed += 10;
  }
}
