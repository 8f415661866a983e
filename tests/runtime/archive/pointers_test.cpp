// SPDX-License-Identifier: Apache-2.0
// Objects by pointers: of derived classes, shared, in circles; and bytes that make no sense.
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "kaon/runtime/archive/archive.hpp"
#include "kaon/runtime/archive/copyable.hpp"
#include "kaon/runtime/base/error.hpp"
#include "tests/runtime/archive_bytes.hpp"
#include "tests/support/catch.hpp"

namespace pointed {

class Shape {
 public:
  virtual ~Shape() = default;
  virtual double area() const = 0;
  template <class Archive>
  void pup(Archive& ar) {
    ar(name);
  }
  std::string name;
};

class Square : public Shape {
 public:
  explicit Square(double side = 0) : side_(side) {}
  double area() const override { return side_ * side_; }
  template <class Archive>
  void pup(Archive& ar) {
    Shape::pup(ar);
    ar(side_);
  }

 private:
  double side_;
};
inline const kaon::runtime::PolymorphicType<Shape, Square> square;

/// Of two bases, of which Shape does not begin where the object does.
class Counted {
 public:
  virtual ~Counted() = default;
  long count = 0;
};
class Group : public Counted, public Shape {
 public:
  double area() const override {
    double sum = 0;
    for (const auto& member : members) sum += member->area();
    return sum;
  }
  template <class Archive>
  void pup(Archive& ar) {
    Shape::pup(ar);
    ar(count, members, self);
  }
  std::vector<std::shared_ptr<Shape>> members;
  std::weak_ptr<Shape> self;
};
inline const kaon::runtime::PolymorphicType<Shape, Group> group;

class Unlisted : public Shape {
 public:
  double area() const override { return 0; }
};

/// Not abstract: needs no line for itself.
struct Plant {
  virtual ~Plant() = default;
  template <class Archive>
  void pup(Archive& ar) {
    ar(height);
  }
  int height = 0;
};
struct Tree : Plant {
  template <class Archive>
  void pup(Archive& ar) {
    Plant::pup(ar);
    ar(rings);
  }
  std::vector<int> rings;
};
inline const kaon::runtime::PolymorphicType<Plant, Tree> tree;

struct Node {
  int value = 0;
  std::shared_ptr<Node> next;
  std::weak_ptr<Node> previous;
};
struct Chain {
  std::unique_ptr<Chain> next;
};

std::unique_ptr<Shape> named(std::unique_ptr<Shape> shape, std::string name) {
  shape->name = std::move(name);
  return shape;
}

}  // namespace pointed

using namespace kaon::testing;
using namespace kaon::runtime;
using namespace pointed;

static_assert(Serializable<std::unique_ptr<int>> && Serializable<std::shared_ptr<const Shape>> && Serializable<Node>);
static_assert(Serializable<std::vector<std::unique_ptr<Chain>>>);
static_assert(!Serializable<std::unique_ptr<int, void (*)(int*)>> && !Serializable<std::shared_ptr<int[]>>);
static_assert(!Serializable<std::unique_ptr<int*>> && !Serializable<std::shared_ptr<std::unique_ptr<void>>>);
static_assert(!is_copyable<std::shared_ptr<int>> && !is_copyable<std::vector<Node>>);

TEST_CASE("an object that a unique_ptr owns is read into a new one", "[archive][pointers]") {
  CHECK(*round_trip(std::make_unique<int>(7)) == 7);
  auto none = std::make_unique<int>(1);
  const std::vector<std::byte> bytes = packed(std::unique_ptr<int>());
  Reader(bytes.data(), bytes.size())(none);
  CHECK(none == nullptr);
  std::vector<std::unique_ptr<std::string>> several;
  several.push_back(std::make_unique<std::string>("a"));
  several.push_back(nullptr);
  const auto read = round_trip(several);
  CHECK(*read[0] == "a");
  CHECK(read[1] == nullptr);
}

TEST_CASE("objects of derived classes arrive as what they are", "[archive][pointers]") {
  const auto read = round_trip(named(std::make_unique<Square>(3), "tile"));
  REQUIRE(dynamic_cast<Square*>(read.get()) != nullptr);
  CHECK(read->area() == 9);
  CHECK(read->name == "tile");

  auto both = std::make_unique<Group>();
  both->count = 5;
  both->members = {std::make_shared<Square>(2), std::make_shared<Square>(1)};
  const auto group = round_trip(named(std::move(both), "both"));
  CHECK(group->area() == 5);
  CHECK(group->name == "both");
  CHECK(dynamic_cast<Group&>(*group).count == 5);
}

TEST_CASE("a class that is not abstract is its own, and may be a base", "[archive][pointers]") {
  auto plant = std::make_unique<Plant>();
  plant->height = 3;
  const auto same = round_trip(plant);
  CHECK((typeid(*same) == typeid(Plant)));
  CHECK(same->height == 3);
  auto tree = std::make_shared<Tree>();
  tree->height = 9;
  tree->rings = {1, 2};
  const auto other = round_trip(std::shared_ptr<Plant>(tree));
  CHECK(other->height == 9);
  CHECK(dynamic_cast<Tree&>(*other).rings == std::vector<int>{1, 2});
}

TEST_CASE("pointers to one object arrive as pointers to one", "[archive][pointers]") {
  const auto shape = std::make_shared<Square>(2);
  const auto other = std::make_shared<Square>(2);
  const std::vector<std::shared_ptr<Shape>> shapes{shape, other, shape, nullptr};
  const auto read = round_trip(shapes);
  CHECK(read[0] == read[2]);
  CHECK(read[0] != read[1]);
  CHECK(read[3] == nullptr);
  CHECK(read[0].use_count() == 2);

  // several values of one message, by pointers of different types
  const std::vector<std::byte> bytes = packed(shape, std::shared_ptr<const Shape>(shape), std::weak_ptr<Shape>(shape));
  std::shared_ptr<Square> first;
  std::shared_ptr<const Shape> second;
  std::weak_ptr<Shape> third;
  Reader(bytes.data(), bytes.size())(first, second, third);
  CHECK(second.get() == first.get());
  CHECK(third.lock().get() == first.get());
}

TEST_CASE("circles of pointers are closed again", "[archive][pointers]") {
  auto first = std::make_shared<Node>();
  first->value = 1;
  first->next = std::make_shared<Node>();
  first->next->value = 2;
  first->next->previous = first;
  first->previous = first->next;  // which is named before its owner is read
  const auto read = round_trip(first);
  CHECK(read->next->value == 2);
  CHECK(read->next->previous.lock() == read);
  CHECK(read->previous.lock() == read->next);

  first->next->next = first;
  const auto circle = round_trip(first);
  CHECK(circle->next->next == circle);
  CHECK(circle->next->next->value == 1);
  first->next->next = nullptr;
  circle->next->next = nullptr;

  auto group = std::make_shared<Group>();
  group->self = group;
  const auto itself = round_trip(std::shared_ptr<Shape>(group));
  CHECK(dynamic_cast<Group&>(*itself).self.lock() == itself);
}

TEST_CASE("an object that only a weak_ptr names is gone after reading", "[archive][pointers]") {
  const auto owner = std::make_shared<int>(4);
  CHECK(round_trip(std::weak_ptr<int>(owner)).expired());
  CHECK(round_trip(std::weak_ptr<int>()).expired());
}

TEST_CASE("a class that is not listed is named", "[archive][pointers]") {
  const std::unique_ptr<Shape> shape = std::make_unique<Unlisted>();
  CHECK_THROWS_AS(packed(shape), UsageError);
  CHECK_THROWS_WITH(packed(shape), contains_text("pointed::Unlisted") &&
                                       contains_text("PolymorphicType<pointed::Shape, pointed::Unlisted>"));
}

TEST_CASE("chains of pointers that are too deep are refused on both sides", "[archive][pointers]") {
  Chain chain;
  Chain* last = &chain;
  for (int i = 0; i < 1200; ++i) last = (last->next = std::make_unique<Chain>()).get();
  CHECK_THROWS_AS(packed(chain), UsageError);
  const std::vector<std::byte> bytes(5000, std::byte{1});  // each the next
  CHECK_THROWS_AS(unpacked<Chain>(bytes), CorruptMessage);
}

TEST_CASE("pointers whose bytes make no sense are refused", "[archive][pointers]") {
  const auto with_number = [](std::vector<std::byte> bytes, std::size_t at, std::uint32_t number) {
    std::memcpy(bytes.data() + at, &number, sizeof number);
    return bytes;
  };
  const std::vector<std::byte> shape = packed(named(std::make_unique<Square>(3), "tile"));
  CHECK_NOTHROW(unpacked<std::unique_ptr<Shape>>(shape));
  for (const std::uint32_t number : {0u, 1000u, ~0u})  // of its class; Shape itself is abstract
    CHECK_THROWS_AS(unpacked<std::unique_ptr<Shape>>(with_number(shape, 1, number)), CorruptMessage);
  const std::vector<std::byte> plant = packed(std::unique_ptr<Plant>(std::make_unique<Tree>()));
  std::uint32_t of_shape = 0;
  std::memcpy(&of_shape, shape.data() + 1, sizeof of_shape);
  CHECK_THROWS_AS(unpacked<std::unique_ptr<Plant>>(with_number(plant, 1, of_shape)), CorruptMessage);

  const std::vector<std::byte> shared = packed(std::make_shared<int>(5));
  CHECK_THROWS_AS(unpacked<std::shared_ptr<int>>(with_number(shared, 0, 2)), CorruptMessage);
  const std::vector<std::byte> two = packed(std::make_shared<int>(5), std::make_shared<float>(1.0F));
  const std::vector<std::byte> crossed = with_number(two, 8, 1);  // the second is said to be the first
  std::shared_ptr<int> first;
  std::shared_ptr<float> second;
  CHECK_THROWS_AS(Reader(crossed.data(), crossed.size())(first, second), CorruptMessage);
  for (std::size_t bytes = 0; bytes < shape.size(); ++bytes)
    CHECK_THROWS_AS(
        unpacked<std::unique_ptr<Shape>>({shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(bytes)}),
        CorruptMessage);
}
