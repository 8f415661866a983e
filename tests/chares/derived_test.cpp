// SPDX-License-Identifier: Apache-2.0
// Chares of classes that are derived from others, of mixins and of templates.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kaon/testing/scene.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::derived {

class Shape2 : public Chare<Shape2> {
 public:
  explicit Shape2(int size = 0) : size_(size) {}
  virtual ~Shape2() = default;

  Inbox<int> numbers;

  virtual int area() const { return 0; }
  int size() const { return size_; }
  void grow(int by) { size_ += by; }
  Task<int> area_and_number() { co_return area() + co_await numbers.next(); }
  Element<Shape2> name() const { return self(); }
  void go(PeId to) { migrate_to(to); }
  int common() { return 1; }

  template <class Archive>
  void pup(Archive& archive) {
    archive(size_, numbers);
  }

 protected:
  int size_;
};

/// Says only what it adds.
class Square : public Shape2 {
 public:
  explicit Square(int size = 0) : Shape2(size) {}
  int area() const override { return size_ * size_; }
  int corners() const { return 4; }

  template <class Archive>
  void pup(Archive& archive) {
    Shape2::pup(archive);
  }
};

/// Whose self() and array() are of it.
class Bar : public Chare<Bar, Index, Shape2> {
 public:
  Bar() = default;
  Bar(int size, std::string text) : Chare(size), text_(std::move(text)) {}
  int area() const override { return size_ * static_cast<int>(text_.size()); }
  Element<Bar> own_name() const { return self(); }
  int ask_own() { return array().shape().x; }
  Task<int> go_on(int steps) {
    while (step_ < steps) {
      ++step_;
      migrate_to((pe() + 1) % this_runtime().pes());
      co_await at_rest<&Bar::go_on>(steps);
    }
    co_return step_ + size_;
  }

  template <class Archive>
  void pup(Archive& archive) {
    Shape2::pup(archive);
    archive(text_, step_);
  }

 private:
  std::string text_;
  int step_ = 0;
};

/// Cannot move: it has no pup of its own.
class Stone : public Shape2 {
 public:
  int weight = 5;
};

/// Of the third generation.
class Cube : public Square {
 public:
  explicit Cube(int size = 0) : Square(size) {}
  int area() const override { return 6 * Square::area(); }
  template <class Archive>
  void pup(Archive& archive) {
    Square::pup(archive);
  }
};

Task<> send_to_entries_of_the_base(Runtime& runtime) {
  const auto squares = co_await runtime.create<Square>(7, 3);
  squares[2].send<&Shape2::grow>(1);
  squares.broadcast<&Square::grow>(1);
  co_await runtime.quiescence();
  CHECK_AWAITED(squares[2].call<&Square::area>(), 25);
  CHECK_AWAITED(squares[3].call<&Shape2::area>(), 16);
  CHECK_AWAITED(squares[3].call<&Square::corners>(), 4);
  CHECK_AWAITED(squares.call_all<&Shape2::size>(sum), 7 * 4 + 1);
}

Task<> name_it_as_the_base(Runtime& runtime) {
  const auto cubes = co_await runtime.create<Cube>(9, 2);
  const Element<Shape2> one = cubes[8];
  const Element<Square> also = cubes[7].with_priority(3);
  const Proxy<Shape2> all = cubes;
  CHECK(also.priority() == 3);
  CHECK_AWAITED(one.call<&Shape2::area>(), 24);
  CHECK_AWAITED(also.call<&Square::area>(), 24);
  all.broadcast<&Shape2::grow>(1);
  co_await runtime.quiescence();
  CHECK_AWAITED(all.call_all<&Shape2::area>(sum), 9 * 54);
  std::vector<Index> members{1, 3, 8};
  const Section<Shape2> some = co_await cubes.section(std::move(members));
  CHECK_AWAITED(some.call_all<&Shape2::area>(sum), 3 * 54);
  one.send<&Shape2::numbers>(7);
  CHECK_AWAITED(also.call<&Square::corners>(), 4);
  const int both = co_await one.call<&Shape2::area_and_number>();
  CHECK(both == 61);
  const Element<Shape2> told = co_await cubes[5].call<&Cube::name>();
  CHECK_AWAITED(told.call<&Shape2::area>(), 54);
}

Task<> move_as_what_they_are(Runtime& runtime) {
  const auto bars = co_await runtime.create<Bar>(5, 3, std::string("ab"));
  const Proxy<Shape2> all = bars;
  for (PeId to = 0; to < runtime.pes(); ++to) {
    all.broadcast<&Shape2::go>(to);
    co_await runtime.quiescence();
    CHECK_AWAITED(all.call_all<&Shape2::area>(sum), 30);
  }
  const int steps = co_await bars.call_all<&Bar::go_on>(sum, 6);
  CHECK(steps == 5 * 9);
  CHECK_AWAITED(bars[4].call<&Bar::ask_own>(), 5);
  const Element<Bar> own = co_await bars[4].call<&Bar::own_name>();
  CHECK(own.number() == 4);
}

Task<> singly_and_in_sparse_arrays(Runtime& runtime) {
  std::vector<Element<Shape2>> shapes;
  for (PeId pe = 0; pe < runtime.pes(); ++pe) {
    shapes.push_back(runtime.make_on<Square>(pe, 2));
    shapes.push_back(runtime.make_on<Bar>(pe, 2, std::string("abc")));
    shapes.push_back(runtime.make_with_priority<Square>(BitPriority().child(pe, 8), 2));
  }
  int area = 0;
  for (const Element<Shape2>& shape : shapes) area += co_await shape.call<&Shape2::area>();
  CHECK(area == static_cast<int>(runtime.pes()) * 14);
  const auto sparse = co_await runtime.create_sparse<Cube>();
  const Proxy<Shape2> as_base = sparse;
  for (int i = 0; i < 6; ++i) co_await sparse[i * 7].insert_and_wait(1);
  CHECK_AWAITED(as_base.call_all<&Shape2::area>(sum), 36);
  CHECK_AWAITED(as_base[14].call<&Shape2::area>(), 6);
  bool is_refused = false;
  try {
    co_await as_base[99].insert_and_wait(1);
  } catch (const UsageError& error) {
    is_refused = has(error.what(), "elements are");
  }
  CHECK(is_refused);
}

Task<> callbacks_of_the_base(Runtime& runtime) {
  const auto cubes = co_await runtime.create<Cube>(3, 1);
  callback<&Shape2::grow>(Element<Shape2>(cubes[1]))(2);
  callback<&Shape2::grow>(Proxy<Shape2>(cubes))(1);
  callback<&Cube::grow>(cubes[0])(1);
  co_await runtime.quiescence();
  CHECK_AWAITED(cubes.call_all<&Cube::size>(sum), 3 + 2 + 3 + 1);
}

Task<> stay_when_they_cannot(Runtime& runtime) {
  const auto stones = co_await runtime.create<Stone>(2);
  std::string said;
  try {
    co_await stones[0].call<&Shape2::go>(0);
  } catch (const UsageError& error) {
    said = error.what();
  }
  CHECK(has(said, "a pup of its own"));
}

// --- mixins

/// Entries for any chare: this one knows which.
template <class C>
class Counted : public Chare<C> {
 public:
  void count() { ++counted_; }
  int counted() const { return counted_; }
  void count_neighbor() { this->array()[(this->index().x + 1) % this->array().shape().x].template send<&C::count>(); }

 private:
  int counted_ = 0;
};
/// Entries that know nothing of chares.
class Noted {
 public:
  void note(const std::string& text) { notes_ += text; }
  std::string notes() const { return notes_; }

 private:
  std::string notes_;
};
class Worker : public Counted<Worker>, public Noted {
 public:
  int sum() const { return counted() + static_cast<int>(notes().size()); }
};

Task<> use_mixins(Runtime& runtime) {
  const auto workers = co_await runtime.create<Worker>(6);
  workers.broadcast<&Worker::count_neighbor>();
  workers[2].send<&Counted<Worker>::count>();
  workers.broadcast<&Noted::note>(std::string("ab"));
  workers[1].send<&Worker::note>(std::string("c"));
  co_await runtime.quiescence();
  CHECK_AWAITED(workers.call_all<&Worker::counted>(kaon::sum), 7);
  CHECK_AWAITED(workers.call_all<&Worker::sum>(kaon::sum), 7 + 13);
}

// --- templates

template <class T, int kTimes>
class Box : public Chare<Box<T, kTimes>> {
 public:
  Box() = default;
  explicit Box(T value) : value_(std::move(value)) {}
  void add(const T& more) {
    for (int i = 0; i < kTimes; ++i) value_ += more;
  }
  T value() const { return value_; }
  void go(PeId to) { this->migrate_to(to); }
  template <class Archive>
  void pup(Archive& archive) {
    archive(value_);
  }

 private:
  T value_{};
};

template <class T, int kTimes>
Task<T> fill(Runtime& runtime, T first, T more) {
  const auto boxes = co_await runtime.create<Box<T, kTimes>>(4, first);
  boxes[3].template send<&Box<T, kTimes>::add>(more);
  boxes[3].template send<&Box<T, kTimes>::go>(0);
  co_await runtime.quiescence();
  co_return co_await boxes[3].template call<&Box<T, kTimes>::value>();
}

Task<> use_templates(Runtime& runtime) {
  CHECK_AWAITED((fill<int, 2>(runtime, 1, 10)), 21);
  CHECK_AWAITED((fill<int, 3>(runtime, 1, 10)), 31);
  const std::string filled = co_await fill<std::string, 2>(runtime, std::string("a"), std::string("bc"));
  CHECK(filled == "abcbc");
}

TEST_CASE("entries of a base are sent to by names of the derived class", "[chares][derived]") {
  run_everywhere(&send_to_entries_of_the_base);
}
TEST_CASE("a name of a derived chare is one of its base, whose virtual entries are the derived one's",
          "[chares][derived]") {
  run_everywhere(&name_it_as_the_base);
}
TEST_CASE("chares of a derived class move as what they are", "[chares][derived]") {
  run_everywhere(&move_as_what_they_are);
}
TEST_CASE("chares of derived classes are made singly and inserted", "[chares][derived]") {
  run_everywhere(&singly_and_in_sparse_arrays);
}
TEST_CASE("callbacks lead to chares by the names of their base", "[chares][derived]") {
  run_everywhere(&callbacks_of_the_base);
}
TEST_CASE("a derived chare without a pup of its own does not move, and says so", "[chares][derived]") {
  run_everywhere(&stay_when_they_cannot);
}
TEST_CASE("mixins give entries to chares", "[chares][derived]") { run_everywhere(&use_mixins); }
TEST_CASE("chares are of class templates", "[chares][derived]") { run_everywhere(&use_templates); }

}  // namespace kaon::testing::derived
