// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bitset>
#include <boost/unordered/unordered_flat_map.hpp>
#include <deque>
#include <list>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "kaon/runtime/archive/archive.hpp"
#include "tests/runtime/archive_bytes.hpp"
#include "tests/support/catch.hpp"

namespace {

using namespace kaon::testing;

struct Point {
  float x, y;
  bool operator==(const Point&) const = default;
};
struct Empty {
  bool operator==(const Empty&) const = default;
};
// Counts how it is made, to see what reading costs.
struct Counted {
  static inline int made = 0;
  int value = 0;
  Counted() { ++made; }
  template <class Archive>
  void pup(Archive& ar) {
    ar(value);
  }
};

template <class T>
void check_round_trip(const T& value) {
  CHECK(round_trip(value) == value);
  CHECK(round_trip(T{}) == T{});
}

TEST_CASE("strings and vectors come back", "[archive]") {
  check_round_trip(std::string("text with \0 inside", 18));
  check_round_trip(std::u16string(u"wide"));
  check_round_trip(std::vector<int>{1, -2, 3});
  check_round_trip(std::vector<Point>{{1, 2}, {3, 4}});
  check_round_trip(std::vector<std::pair<int, double>>{{1, 0.5}, {2, 0.25}});
  check_round_trip(std::vector<std::string>{"a", "", "long enough to be on the heap of any library"});
  check_round_trip(std::vector<std::vector<std::vector<int>>>{{{1}, {}}, {}, {{2, 3}}});
}

TEST_CASE("vector elements at any address in the message come back", "[archive]") {
  std::vector<double> values(100);
  std::iota(values.begin(), values.end(), 0.5);
  for (std::size_t shift = 0; shift != 8; ++shift) {
    const std::string before(shift, '-');
    const std::vector<std::byte> bytes = packed(before, values);
    std::string text;
    std::vector<double> copy(3, 9.0);
    Reader(bytes.data(), bytes.size())(text, copy);
    CHECK(copy == values);
  }
}

TEST_CASE("a vector of plain elements is a count and one block", "[archive]") {
  const std::vector<std::byte> bytes = packed(std::vector<std::uint16_t>{0x0102, 0x0304});
  CHECK(bytes.size() == 12);
  CHECK((bytes[8] == std::byte{2} && bytes[11] == std::byte{3}));
}

TEST_CASE("bits travel eight to a byte", "[archive]") {
  for (std::size_t count : {0U, 1U, 7U, 8U, 9U, 1000U}) {
    std::vector<bool> bits(count);
    for (std::size_t i = 0; i < count; i += 3) {
      bits[i] = true;
    }
    CHECK(round_trip(bits) == bits);
    CHECK(packed(bits).size() == 8 + (count + 7) / 8);
  }
  check_round_trip(std::bitset<70>("1010000000000000000000000000000000000000000000000000000000000000000001"));
}

TEST_CASE("deques and lists come back", "[archive]") {
  check_round_trip(std::deque<int>{1, 2, 3});
  check_round_trip(std::deque<std::string>{"a", "b"});
  check_round_trip(std::list<Point>{{1, 2}});
  check_round_trip(std::list<std::list<int>>{{1}, {}});
}

TEST_CASE("sets and maps come back", "[archive]") {
  check_round_trip(std::set<std::string>{"b", "a"});
  check_round_trip(std::multiset<int>{1, 1, 2});
  check_round_trip(std::map<int, std::string>{{1, "a"}, {2, "b"}});
  check_round_trip(std::multimap<int, int>{{1, 2}, {1, 3}});
  check_round_trip(std::unordered_set<int>{1, 2, 3});
  check_round_trip(std::unordered_multiset<int>{1, 1});
  check_round_trip(std::unordered_map<std::string, std::vector<int>>{{"a", {1, 2}}, {"b", {}}});
  check_round_trip(std::unordered_multimap<int, int>{{1, 1}, {1, 1}});
  check_round_trip(boost::unordered_flat_map<int, std::string>{{1, "a"}, {2, "b"}});
}

TEST_CASE("optionals and variants come back", "[archive]") {
  check_round_trip(std::optional<int>(7));
  check_round_trip(std::optional<std::string>("text"));
  check_round_trip(std::optional<std::optional<int>>(std::optional<int>()));
  using Choice = std::variant<std::monostate, int, std::string, std::vector<int>>;
  for (const Choice& choice : {Choice(), Choice(3), Choice("text"), Choice(std::vector{1, 2})}) {
    check_round_trip(choice);
  }
}

TEST_CASE("pairs, tuples and arrays come back", "[archive]") {
  check_round_trip(std::pair<int, std::string>(1, "a"));
  check_round_trip(std::tuple<bool, std::string, Point, std::tuple<>>(true, "b", {1, 2}, {}));
  check_round_trip(std::array<int, 3>{1, 2, 3});
  check_round_trip(std::array<bool, 2>{true, false});
  check_round_trip(std::array<std::string, 2>{"a", "b"});
  check_round_trip(std::array<std::string, 0>{});
}

TEST_CASE("reading replaces what a container held", "[archive]") {
  const std::vector<std::byte> bytes = packed(std::map<int, int>{{1, 2}}, std::deque<int>{4}, std::vector<bool>{true},
                                              std::optional<int>(), std::string("new"));
  std::map<int, int> map{{8, 9}};
  std::deque<int> deque{5, 6, 7};
  std::vector<bool> bits{false, false};
  std::optional<int> optional = 3;
  std::string text = "older and longer";
  Reader(bytes.data(), bytes.size())(map, deque, bits, optional, text);
  CHECK(map == std::map<int, int>{{1, 2}});
  CHECK(deque == std::deque<int>{4});
  CHECK(bits == std::vector<bool>{true});
  CHECK_FALSE(optional.has_value());
  CHECK(text == "new");
}

TEST_CASE("elements without bytes are counted all the same", "[archive]") {
  check_round_trip(std::vector<Empty>(5));
  check_round_trip(std::list<std::tuple<>>(3));
  CHECK(packed(std::vector<Empty>(5)).size() == 8 + 5);
  // What follows is found behind the padding.
  check_round_trip(std::pair<std::vector<Empty>, int>(std::vector<Empty>(5), 7));
}

TEST_CASE("each element is made once, where it will live", "[archive]") {
  const std::vector<std::byte> bytes = packed(std::list<Counted>(4));
  Counted::made = 0;
  CHECK(unpacked<std::list<Counted>>(bytes).size() == 4);
  CHECK(Counted::made == 4);
}

}  // namespace
