// SPDX-License-Identifier: Apache-2.0
// Indices of sparse arrays: of several dimensions, of the program's own, and what elements know of theirs.
#include <cstdint>
#include <string>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::sparse_indices {

class Quadrant {
 public:
  Quadrant() = default;
  Quadrant(int depth, std::uint64_t path) : path_(path | std::uint64_t{1} << 2 * depth) {}
  std::uint64_t number() const { return path_; }
  static Quadrant from_number(std::uint64_t number) {
    Quadrant quadrant;
    quadrant.path_ = number;
    return quadrant;
  }
  Quadrant child(std::uint64_t which) const { return from_number(path_ << 2 | which); }

 private:
  std::uint64_t path_ = 1;
};

class Node : public Chare<Node, Quadrant> {
 public:
  explicit Node(int levels) {
    for (std::uint64_t i = 0; levels > 0 && i < 4; ++i) array()[index().child(i)].insert(levels - 1);
  }
  int one() const { return 1; }
};

Task<> grow_a_tree(Runtime& runtime) {
  const auto nodes = co_await runtime.create_sparse<Node>();
  nodes[Quadrant()].insert(4);
  co_await runtime.quiescence();
  const int count = co_await nodes.call_all<&Node::one>(sum);
  CHECK(count == 1 + 4 + 16 + 64 + 256);
}

class Grid : public Chare<Grid, Coordinates<4>> {
 public:
  std::int64_t weighed() const { return index()[0] + 10 * index()[1] + 100 * index()[2] + 1000 * index()[3]; }
};
class Plain : public Chare<Plain> {
 public:
  int weighed() const { return index().x + 10 * index().y + 100 * index().z; }
};

Task<> index_by_coordinates(Runtime& runtime) {
  const auto grids = co_await runtime.create_sparse<Grid>();
  const Coordinates<4> at{{-32768, 5, 32767, -1}};
  grids[at].insert();
  const auto weighed = co_await grids[at].call<&Grid::weighed>();
  CHECK(weighed == -32768 + 50 + 3276700 - 1000);
  CHECK(has(thrown<UsageError>([&] { grids[Coordinates<4>{{0, 0, 40000, 0}}].insert(); }), "a part of 40000"));
  const auto plain = co_await runtime.create_sparse<Plain>();
  plain[{-3, 7, 9}].insert();
  const int sum_of = co_await plain[{-3, 7, 9}].call<&Plain::weighed>();
  CHECK(sum_of == -3 + 70 + 900);
  CHECK(plain[{-3, 7, 9}].index() == Index(-3, 7, 9));
}

/// Says itself where it is, in arrays of both kinds.
class Placed : public Chare<Placed> {
 public:
  static PeId place(const Index& index, PeId pes) { return static_cast<PeId>(index.x * 5 + index.y) % pes; }
  bool is_in_place() const { return pe() == place(index(), this_runtime().pes()); }
  bool ask(Index other) { return other == index(); }
};

Task<> place_by_class(Runtime& runtime) {
  const auto dense = co_await runtime.create<Placed>(Shape(7, 4));
  for (int x = 0; x < 7; ++x) {
    const bool is_right = co_await dense[{x, 3}].call<&Placed::is_in_place>();
    CHECK(is_right);
  }
  const auto sparse = co_await runtime.create_sparse<Placed>();
  for (int x = 0; x < 9; ++x) sparse[x].insert();
  for (int x = 0; x < 9; ++x) {
    const bool is_right = co_await sparse[x].call<&Placed::is_in_place>();
    CHECK(is_right);
  }
}

/// Knows its index to its end.
class Witness : public Chare<Witness, int> {
 public:
  Witness() : mine_(index()) {}
  ~Witness() { wrong += index() != mine_; }
  template <class Archive>
  void pup(Archive& archive) {
    archive(mine_);
  }
  void end() { destroy(); }
  void go(PeId to) { migrate_to(to); }
  static inline int wrong = 0;

 private:
  int mine_ = 0;
};

Task<> go_and_end(Runtime& runtime) {
  constexpr int kCount = 60;
  Witness::wrong = 0;
  const auto witnesses = co_await runtime.create_sparse<Witness>();
  for (int i = 0; i < kCount; ++i) witnesses[i].insert_on(static_cast<PeId>(i) % runtime.pes());
  co_await runtime.quiescence();
  for (int i = 0; i < kCount; ++i) {
    if (i % 3 == 0)
      witnesses[i].send<&Witness::go>(static_cast<PeId>(i / 3) % runtime.pes());
    else
      witnesses[i].send<&Witness::end>();
  }
  co_await runtime.quiescence();
  co_await witnesses.destroy_and_wait();
  CHECK(Witness::wrong == 0);
}

TEST_CASE("a tree grows by indices of its own", "[chares][sparse]") { run_everywhere(sparse_indices::grow_a_tree); }
TEST_CASE("coordinates are indices", "[chares][sparse]") { run_everywhere(sparse_indices::index_by_coordinates); }
TEST_CASE("a class may place its elements itself", "[chares][sparse]") {
  run_everywhere(sparse_indices::place_by_class);
}
TEST_CASE("elements of a sparse array know their indices to their ends", "[chares][sparse]") {
  run_everywhere(sparse_indices::go_and_end);
}

}  // namespace kaon::testing::sparse_indices
