// SPDX-License-Identifier: Apache-2.0
// Sparse arrays whose elements live together, and what cannot be.
#include <stdexcept>
#include <string>

#include <kaon/kaon.hpp>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::bonded_sparsely {

class Trunk : public Chare<Trunk> {
 public:
  template <class Archive>
  void pup(Archive& archive) {
    archive(rounds_);
  }
  PeId where() { return pe(); }
  int rounds() const { return rounds_; }
  void wander(int rounds) {
    ++rounds_;
    migrate_to((pe() * 5 + static_cast<PeId>(rounds + index().x)) % this_runtime().pes());
    if (rounds > 0) self().send<&Trunk::wander>(rounds - 1);
  }
  void go(PeId to) { migrate_to(to); }
  void end() { destroy(); }

 private:
  int rounds_ = 0;
};

class Leaf : public Chare<Leaf> {
 public:
  Leaf() = default;
  Leaf(Proxy<Trunk> trunks, int value) : trunks_(trunks), value_(value) {
    if (value < 0) throw std::runtime_error("no such leaf");
  }
  template <class Archive>
  void pup(Archive& archive) {
    archive(trunks_, value_);
  }
  PeId where() { return pe(); }
  int value() { return has_mate() ? value_ : -1; }
  void add(int more) { value_ += more; }
  void end() { destroy(); }
  void go(PeId to) { migrate_to(to); }
  Task<int> total() { co_return co_await contribute(sum, value_); }

 private:
  bool has_mate() { return trunks_[index()].local() != nullptr; }

  Proxy<Trunk> trunks_;
  int value_ = 0;
};

/// It cannot move.
class Stone : public Chare<Stone> {
 public:
  explicit Stone(int) {}
};

constexpr int kCount = 9;

Task<> check_together(Proxy<Trunk> trunks, Proxy<Leaf> leaves, int count, int value) {
  for (int i = 0; i < count; ++i) {
    const PeId trunk = co_await trunks[i].call<&Trunk::where>();
    const PeId leaf = co_await leaves[i].call<&Leaf::where>();
    const int got = co_await leaves[i].call<&Leaf::value>();
    CHECK(trunk == leaf);
    CHECK(got == value);
  }
}

/// Some are there before, some come later, and messages for them earlier still.
Task<> grow_together(Runtime& runtime) {
  const auto trunks = co_await runtime.create_sparse<Trunk>();
  for (int i = 0; i < kCount; ++i) trunks[i].insert_on(static_cast<PeId>(i) % runtime.pes());
  for (int i = 0; i < kCount; ++i) trunks[i].send<&Trunk::wander>(5);
  co_await runtime.quiescence();
  trunks.broadcast<&Trunk::wander>(5);
  const auto leaves = co_await runtime.create_bound<Leaf>(trunks, trunks, 7);  // while they move
  for (int i = kCount; i < 2 * kCount; ++i) {
    leaves[i].send<&Leaf::add>(2);
    leaves[i].insert(trunks, 5);  // which waits for the trunk
    leaves[i].send<&Leaf::add>(-2);
  }
  for (int i = 2 * kCount - 1; i >= kCount; --i) {
    trunks[i].insert();
    trunks[i].send<&Trunk::wander>(4);
  }
  for (int i = kCount; i < 2 * kCount; ++i) leaves[i].send<&Leaf::add>(2);
  co_await runtime.quiescence();
  co_await check_together(trunks, leaves, 2 * kCount, 7);
  const int total = co_await leaves.call_all<&Leaf::total>(max);
  CHECK(total == 2 * kCount * 7);
}

Task<> come_and_go(Runtime& runtime) {
  const auto trunks = co_await runtime.create_sparse<Trunk>();
  const auto leaves = co_await runtime.create_bound<Leaf>(trunks, trunks, 1);  // of nothing
  for (int round = 0; round < 6; ++round) {
    for (int i = 0; i < kCount; ++i) {
      if (round == 0) trunks[i].insert_on(static_cast<PeId>(i) % runtime.pes());
      leaves[i].insert(trunks, round);
      trunks[i].send<&Trunk::wander>(3);
    }
    co_await runtime.quiescence();
    co_await check_together(trunks, leaves, kCount, round);
    trunks.broadcast<&Trunk::wander>(3);
    leaves.broadcast<&Leaf::end>();
    co_await runtime.quiescence();
  }
}

Task<> insert_twice(Runtime& runtime) {
  const auto trunks = co_await runtime.create_sparse<Trunk>();
  const auto leaves = co_await runtime.create_bound<Leaf>(trunks, trunks, 1);
  trunks[3].insert();
  leaves[3].insert(trunks, 1);
  std::string error;
  try {
    co_await leaves[3].insert_and_wait(trunks, 2);
  } catch (const UsageError& e) {
    error = e.what();
  }
  CHECK(has(error, "exists already"));
  error.clear();
  try {
    co_await leaves[4].insert_on_and_wait(0, trunks, 1);
  } catch (const UsageError& e) {
    error = e.what();
  }
  CHECK(has(error, "insert() makes it there"));
  trunks[5].insert();
  error.clear();
  try {
    co_await leaves[5].insert_and_wait(trunks, -1);
  } catch (const std::exception& e) {
    error = e.what();
  }
  CHECK(has(error, "no such leaf"));
  co_await leaves[5].insert_and_wait(trunks, 1);
  const int value = co_await leaves[5].call<&Leaf::value>();
  CHECK(value == 1);
}

Task<> move_what_cannot(Runtime& runtime) {
  const auto trunks = co_await runtime.create<Trunk>(2);
  const auto stones = co_await runtime.create_bound<Stone>(trunks, 1);
  CHECK(stones.shape().x == 2);
  trunks[0].send<&Trunk::go>(1);
  co_await runtime.quiescence();
}

Task<> bind_to_deleted(Runtime& runtime) {
  const auto trunks = co_await runtime.create<Trunk>(4);
  trunks[1].send<&Trunk::end>();
  co_await runtime.quiescence();
  const auto leaves = co_await runtime.create_bound<Leaf>(trunks, trunks, 3);
  const int value = co_await leaves[2].call<&Leaf::value>();
  CHECK(value == 3);
  std::string error;
  try {
    static_cast<void>(co_await leaves[1].call<&Leaf::value>());
  } catch (const UsageError& e) {
    error = e.what();
  }
  CHECK(has(error, "was deleted"));
  trunks[2].send<&Trunk::end>();
  co_await runtime.quiescence();
  for (const PeId to : {PeId{0}, PeId{1}}) {
    leaves[2].send<&Leaf::go>(to);
    co_await runtime.quiescence();
    const PeId where = co_await leaves[2].call<&Leaf::where>();
    CHECK(where == to);
  }
}

Task<> fail_to_bind(Runtime& runtime) {
  const auto nodes = co_await runtime.create_node_group<Trunk>();
  std::string error;
  try {
    static_cast<void>(co_await runtime.create_bound<Leaf>(nodes, Proxy<Trunk>(nodes), 1));
  } catch (const UsageError& e) {
    error = e.what();
  }
  CHECK(has(error, "node group"));
  const auto trunks = co_await runtime.create<Trunk>(kCount);
  error.clear();
  try {
    static_cast<void>(co_await runtime.create_bound<Leaf>(trunks, trunks, -1));
  } catch (const std::exception& e) {
    error = e.what();
  }
  CHECK(has(error, "no such leaf"));
  const auto leaves = co_await runtime.create_bound<Leaf>(trunks, trunks, 1);
  error.clear();
  try {
    co_await runtime.balance(leaves, strategies::greedy);
  } catch (const UsageError& e) {
    error = e.what();
  }
  CHECK(has(error, "balance that one"));
}

TEST_CASE("sparse arrays that are bound grow together", "[chares][bonds]") { run_everywhere(grow_together); }
TEST_CASE("bound elements come and go beside those of the leader", "[chares][bonds]") { run_everywhere(come_and_go); }
TEST_CASE("insertions into a bound array that cannot be say so", "[chares][bonds][bad input]") {
  run_everywhere(insert_twice);
}
TEST_CASE("whose leader was deleted moves alone", "[chares][bonds]") { Scene({2, 1}).run(bind_to_deleted); }
TEST_CASE("what cannot be bound says so", "[chares][bonds][bad input]") { run_everywhere(fail_to_bind); }
TEST_CASE("what is bound to a class that cannot move does not move", "[chares][bonds][bad input]") {
  const std::string error = thrown<UsageError>([] { Scene({2, 1}).run(move_what_cannot); });
  CHECK(has(error, "Stone"));
  CHECK(has(error, "cannot move"));
}

}  // namespace kaon::testing::bonded_sparsely
