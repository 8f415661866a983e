// SPDX-License-Identifier: Apache-2.0
// Which members an aggregate has, whatever they are.
#include <any>
#include <array>
#include <atomic>
#include <complex>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "kaon/runtime/archive/archive.hpp"
#include "tests/runtime/archive_bytes.hpp"
#include "tests/support/catch.hpp"

namespace {

using namespace kaon::testing;
using archive::find_look;
using archive::Look;
using archive::seen;

template <class T>
constexpr bool shows(std::size_t members) {
  return find_look<T>() == Look::members && seen<T>.members == members;
}

struct Empty {};
struct OtherEmpty {};
struct Point {
  double x, y;
};
struct LongName {
  char name[300];
  int number;
};
struct LargeArrays {
  int number;
  double values[1 << 20];
  char grid[2][3];
};
struct ArrayOfAggregates {
  LongName names[3];
  Point corners[2][2];
  std::string text;
};
struct NestedArrays {
  std::array<std::array<int, 3>, 2> grid;
  std::string names[2];
  int last;
};
struct Tagged : Empty, OtherEmpty {
  int number;
  std::string text;
};
struct OnlyBases : Empty {};
struct Moved {
  std::unique_ptr<int> owner;
  std::optional<int> number;
};
struct Standard {
  std::function<void()> function;
  std::variant<int, std::string> choice;
  std::map<int, int> map;
  std::any any;
  std::complex<double> complex;
};
struct Locked {
  std::mutex mutex;
  std::atomic<int> number;
};
struct Unaddressed {
  [[no_unique_address]] Empty empty;
  int number;
};
struct Padding {
  alignas(64) Empty empty;
};
class FromAnything {
 public:
  FromAnything() = default;
  template <class T>
  FromAnything(T&&) {}  // NOLINT: greedy, as std::any is
  template <class Archive>
  void pup(Archive&) {}
};
struct Greedy {
  FromAnything first;
  int second;
};
class NoDefault {
 public:
  explicit NoDefault(int number) : number_(number) {}
  template <class Archive>
  void pup(Archive& ar) {
    ar(number_);
  }
  bool operator==(const NoDefault&) const = default;

 private:
  int number_;
};
struct WithoutBraces {
  int first;
  NoDefault second{3};
  char tag[5];
  bool operator==(const WithoutBraces&) const = default;
};
struct ThirtyTwo {
  int a[2], b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, bb, cc, dd, ee, ff;
};
// Looks like a sequence, and has all its members in the open.
struct OpenGrid {
  int rows;
  std::vector<double> cells;
  auto begin() const { return cells.begin(); }
  auto end() const { return cells.end(); }
  std::size_t size() const { return cells.size(); }
  void clear() { cells.clear(); }
  double& back() { return cells.back(); }
  void emplace_back() { cells.emplace_back(); }
  bool operator==(const OpenGrid&) const = default;
};

struct WithBase : Point {
  double z;
};
struct WithUnion {
  int kind;
  union {
    int number;
    float fraction;
  };
};
union Either {
  int number;
  float fraction;
};
struct WithNamedUnions {
  std::string name;
  Either values[2];
};
struct WithBitField {
  int number;
  unsigned color : 3;
};
struct WithReference {
  int number;
  int& other;
};

static_assert(shows<Empty>(0) && shows<Point>(2) && shows<OnlyBases>(0));
static_assert(shows<LongName>(2) && shows<LargeArrays>(3) && shows<ArrayOfAggregates>(3) && shows<NestedArrays>(3));
static_assert(shows<Tagged>(2), "empty bases are no members");
static_assert(shows<Moved>(2) && shows<Standard>(5) && shows<Locked>(2));
static_assert(shows<Unaddressed>(2) && shows<Padding>(1) && shows<Greedy>(2));
static_assert(shows<WithoutBraces>(3), "a member that takes no {}");
static_assert(shows<ThirtyTwo>(32));
static_assert(shows<WithReference>(2), "refused for what the member is");

static_assert(find_look<WithBase>() == Look::base);
static_assert(find_look<WithUnion>() == Look::union_ && find_look<WithNamedUnions>() == Look::union_);
static_assert(find_look<WithBitField>() == Look::bit_field);
static_assert(!Serializable<WithBase> && !Serializable<WithUnion> && !Serializable<std::vector<WithNamedUnions>>);
static_assert(!Serializable<WithBitField> && !Serializable<WithReference> && !Serializable<Locked>);

TEST_CASE("C arrays of any length are members", "[archive]") {
  auto value = std::make_unique<LargeArrays>();
  value->number = 7;
  value->values[(1 << 20) - 1] = 0.5;
  value->grid[1][2] = 'x';
  const std::vector<std::byte> bytes = packed(*value);
  auto copy = std::make_unique<LargeArrays>();
  Reader(bytes.data(), bytes.size())(*copy);
  CHECK(bytes.size() == 4 + (8U << 20) + 6);
  CHECK((copy->number == 7 && copy->values[(1 << 20) - 1] == 0.5 && copy->grid[1][2] == 'x'));

  LongName name{};
  name.name[299] = 'z';
  name.number = 3;
  CHECK((round_trip(name).name[299] == 'z' && round_trip(name).number == 3));
}

TEST_CASE("arrays of aggregates and of strings are sent member by member", "[archive]") {
  ArrayOfAggregates value{};
  value.names[2].number = 5;
  value.corners[1][0] = {1, 2};
  value.text = "text";
  const ArrayOfAggregates copy = round_trip(value);
  CHECK((copy.names[2].number == 5 && copy.corners[1][0].y == 2 && copy.text == "text"));

  const NestedArrays nested = round_trip(NestedArrays{{{{1, 2, 3}, {4, 5, 6}}}, {"a", "b"}, 7});
  CHECK((nested.grid[1][2] == 6 && nested.names[1] == "b" && nested.last == 7));
}

TEST_CASE("empty bases, empty members and padding take no bytes", "[archive]") {
  const Tagged copy = round_trip(Tagged{{}, {}, 7, "text"});
  CHECK((copy.number == 7 && copy.text == "text"));
  CHECK(packed(Tagged{{}, {}, 7, ""}).size() == 4 + 8);
  CHECK(packed(OnlyBases{}).empty());
  CHECK(packed(Padding{}).empty());
  CHECK(packed(Unaddressed{{}, 5}).size() == 4);
  CHECK(round_trip(Unaddressed{{}, 5}).number == 5);
}

TEST_CASE("members that are made of anything, or not of nothing, are members all the same", "[archive]") {
  CHECK(round_trip(Greedy{{}, 6}).second == 6);
  const WithoutBraces value{1, NoDefault(2), "four"};
  CHECK(round_trip(value) == value);
}

TEST_CASE("an aggregate that looks like a sequence is sent with all its members", "[archive]") {
  const OpenGrid grid{2, {1, 2, 3, 4}};
  CHECK(round_trip(grid) == grid);
}

}  // namespace
