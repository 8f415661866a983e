// SPDX-License-Identifier: Apache-2.0
// Arrays with a shape of more than three dimensions, and of classes whose index is no kaon::Index.
#include <set>
#include <string>
#include <vector>

#include "kaon/chares/elements/dense_index.hpp"
#include "kaon/testing/scene.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::dimensions {

template <std::size_t D>
class Point : public Chare<Point<D>, Coordinates<D>> {
 public:
  Point() = default;
  explicit Point(int start) : sum_(start) {}
  template <class Archive>
  void pup(Archive& archive) {
    archive(sum_);
  }

  Coordinates<D> where() const { return this->index(); }
  void add(int value) { sum_ += value; }
  void go(PeId to) { this->migrate_to(to); }
  int sum() const { return sum_; }
  /// To the next along each dimension, around the end.
  void add_to_next() {
    const Shape shape = this->array().shape();
    for (std::size_t d = 0; d < D; ++d) {
      Coordinates<D> next = this->index();
      next[d] = (next[d] + 1) % shape.extent(d);
      this->array()[next].template send<&Point::add>(1);
    }
  }

 private:
  int sum_ = 0;
};

template <std::size_t D>
std::vector<Coordinates<D>> all_of(const Shape& shape) {
  std::vector<Coordinates<D>> all;
  for (std::uint64_t i = 0; i < shape.count(); ++i) all.push_back(DenseIndex<Coordinates<D>>::index(shape, i));
  return all;
}

template <std::size_t D>
Task<> visit(Runtime& runtime, Shape shape) {
  const auto points = co_await runtime.create<Point<D>>(shape, 100);
  PeId to = 0;
  for (const auto& index : all_of<D>(shape)) {
    const Coordinates<D> where = co_await points[index].template call<&Point<D>::where>();
    CHECK(where == index);
    CHECK(points[index].index() == index);
    if (to % 3 == 0) points[index].template send<&Point<D>::go>(to % runtime.pes());
    ++to;
  }
  points.template broadcast<&Point<D>::add_to_next>();
  co_await runtime.quiescence();
  const int sum_of = co_await points.template call_all<&Point<D>::sum>(sum);
  CHECK(sum_of == static_cast<int>(shape.count() * (100 + D)));
  const std::vector<Coordinates<D>> last(1, all_of<D>(shape).back());
  const auto corner = co_await points.section(last);
  corner.template broadcast<&Point<D>::add>(7);
  const int sum_there = co_await corner.template call_all<&Point<D>::sum>(sum);
  CHECK(sum_there == static_cast<int>(107 + D));
}

Task<> visit_four(Runtime& runtime) { return visit<4>(runtime, Shape(2, 3, 1, 4)); }
Task<> visit_five(Runtime& runtime) { return visit<5>(runtime, Shape(2, 1, 3, 2, 2)); }
Task<> visit_six(Runtime& runtime) { return visit<6>(runtime, Shape(2, 2, 1, 2, 3, 2)); }
Task<> visit_two(Runtime& runtime) { return visit<2>(runtime, Shape(3, 5)); }

/// Elements that say where they are made, by all their coordinates.
class Placed : public Chare<Placed, Coordinates<4>> {
 public:
  static PeId place(const Coordinates<4>& index, PeId pes) { return static_cast<PeId>(index[3]) % pes; }
  bool is_placed() const { return pe() == place(index(), this_runtime().pes()); }
};

Task<> place_by_all(Runtime& runtime) {
  const auto placed = co_await runtime.create<Placed>(Shape(2, 1, 2, 5));
  const bool are_placed = co_await placed.call_all<&Placed::is_placed>(logical_and);
  CHECK(are_placed);
}

Task<> misuse(Runtime& runtime) {
  const auto points = co_await runtime.create<Point<4>>(Shape(2, 3, 1, 4), 0);
  const std::vector<Coordinates<4>> outside{{{2, 0, 0, 0}}, {{0, 0, 0, 4}}, {{0, -1, 0, 0}}};
  for (const auto& index : outside)
    CHECK(has(thrown<UsageError>([&] { points[index].send<&Point<4>::add>(1); }),
              "is outside the array of 2 x 3 x 1 x 4"));
  CHECK(has(thrown<UsageError>([&] { points[Index(0, 0, 0)].send<&Point<4>::add>(1); }),
            "indices of a type of their own"));
  std::string text;
  try {
    co_await runtime.create<Point<4>>(Shape(2, 2, 2, 2, 2), 0);
  } catch (const UsageError& error) {
    text = error.what();
  }
  CHECK(has(text, "2 x 2 x 2 x 2 x 2 elements has more dimensions than the index of its class"));
}

TEST_CASE("arrays of up to six dimensions have an element for each index", "[chares][index]") {
  run_everywhere(visit_two);
  run_everywhere(visit_four);
  run_everywhere(visit_five);
  run_everywhere(visit_six);
}
TEST_CASE("elements place themselves by all their coordinates", "[chares][index]") { run_everywhere(place_by_all); }
TEST_CASE("indices outside, and shapes of too many dimensions, are refused", "[chares][index]") {
  run_everywhere(misuse);
}
TEST_CASE("numbers and indices of six dimensions are one to one", "[chares][index]") {
  const Shape shape(2, 3, 1, 2, 3, 2);
  std::set<std::uint64_t> seen;
  for (const auto& index : all_of<6>(shape)) seen.insert(DenseIndex<Coordinates<6>>::number(shape, index));
  CHECK(seen.size() == shape.count());
  CHECK(*seen.rbegin() == shape.count() - 1);
  CHECK(to_string(shape) == "2 x 3 x 1 x 2 x 3 x 2");
  CHECK_THROWS_AS(check(Shape(1 << 10, 1 << 10, 1 << 10, 1 << 10, 2)), UsageError);
  CHECK_NOTHROW(check(Shape(1 << 10, 1 << 10, 1 << 10, 1 << 10)));
  CHECK_THROWS_AS(check(Shape(2, 2, 2, 0)), UsageError);
}

}  // namespace kaon::testing::dimensions
