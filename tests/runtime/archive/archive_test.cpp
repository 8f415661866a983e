// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/archive/archive.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "tests/runtime/archive_bytes.hpp"
#include "tests/support/catch.hpp"

namespace {

using namespace kaon::testing;

enum class Face : std::uint8_t { left, right };
struct Point {
  double x, y, z;
  bool operator==(const Point&) const = default;
};
struct Padded {
  char tag;
  double value;
  bool last;
  bool operator==(const Padded&) const = default;
};
struct Grid {
  int cells[2][3];
  char name[5];
  std::array<Point, 2> corners;
  int last;
};
struct Empty {
  bool operator==(const Empty&) const = default;
};
struct Tree {
  int value;
  std::vector<Tree> children;
  bool operator==(const Tree&) const = default;
};
struct Large {
  std::array<double, 4096> values;
  int count;
};
struct WithPointer {
  int* to;
};
struct WithReference {
  const std::string& name;
};
struct NoDefault {
  explicit NoDefault(int) {}
  template <class Archive>
  void pup(Archive&) {}
};

static_assert(packed_size_if_fixed<int> == 4);
static_assert(packed_size_if_fixed<const double> == 8);
static_assert(packed_size_if_fixed<Point> == 24);
static_assert(packed_size_if_fixed<Padded> == 10, "padding does not travel");
static_assert(packed_size_if_fixed<Grid> == 24 + 5 + 48 + 4);
static_assert(packed_size_if_fixed<std::tuple<int, double>> == 12);
static_assert(packed_size_if_fixed<std::bitset<9>> == 2);
static_assert(packed_size_if_fixed<std::string> == 0);
static_assert(packed_size_if_fixed<Tree> == 0);

static_assert(Serializable<Tree> && Serializable<Grid> && Serializable<Large> && Serializable<const int>);
static_assert(Serializable<NoDefault> && !Serializable<std::vector<NoDefault>>);
static_assert(!Serializable<int*> && !Serializable<int&> && !Serializable<void (*)()> && !Serializable<int Point::*>);
static_assert(!Serializable<std::nullptr_t> && !Serializable<std::string_view> && !Serializable<std::span<int>>);
static_assert(!Serializable<std::unique_ptr<int[]>> && !Serializable<std::shared_ptr<void>>);
static_assert(!Serializable<WithPointer> && !Serializable<std::vector<std::pair<int, WithPointer>>>);
static_assert(!Serializable<WithReference> && !Serializable<std::tuple<int&>>);

TEST_CASE("numbers, enums and times come back as they were", "[archive]") {
  CHECK(round_trip(std::numeric_limits<std::int64_t>::min()) == std::numeric_limits<std::int64_t>::min());
  CHECK(round_trip(-0.1F) == -0.1F);
  CHECK(round_trip(Face::right) == Face::right);
  CHECK(round_trip(std::byte{0xA5}) == std::byte{0xA5});
  CHECK(round_trip(true));
  CHECK_FALSE(round_trip(false));
  CHECK(round_trip(std::complex<double>(1, -2)) == std::complex<double>(1, -2));
  CHECK(round_trip(std::chrono::milliseconds(-7)) == std::chrono::milliseconds(-7));
  const auto now = std::chrono::steady_clock::now();
  CHECK(round_trip(now) == now);
  CHECK(round_trip(std::chrono::duration<double>(0.25)) == std::chrono::duration<double>(0.25));
}

TEST_CASE("aggregates travel member by member, without padding", "[archive]") {
  CHECK(round_trip(Point{1, 2, 3}) == Point{1, 2, 3});
  CHECK(round_trip(Padded{'a', 0.5, true}) == Padded{'a', 0.5, true});
  CHECK(packed(Padded{'a', 0.5, true}).size() == 10);
  CHECK(packed(Empty{}).empty());
  const Tree tree{1, {{2, {}}, {3, {{4, {}}}}}};
  CHECK(round_trip(tree) == tree);
}

TEST_CASE("C arrays in aggregates are members like others", "[archive]") {
  const Grid grid{{{1, 2, 3}, {4, 5, 6}}, "name", {{{1, 2, 3}, {4, 5, 6}}}, 7};
  const Grid copy = round_trip(grid);
  CHECK(copy.cells[1][2] == 6);
  CHECK(std::string(copy.name) == "name");
  CHECK(copy.corners == grid.corners);
  CHECK(copy.last == 7);
}

TEST_CASE("an aggregate of large arrays is one of few members", "[archive]") {
  auto large = std::make_unique<Large>();
  large->values[4095] = 0.5;
  large->count = 3;
  const std::vector<std::byte> bytes = packed(*large);
  auto copy = std::make_unique<Large>();
  Reader(bytes.data(), bytes.size())(*copy);
  CHECK(bytes.size() == 4096 * 8 + 4);
  CHECK(copy->values[4095] == 0.5);
  CHECK(copy->count == 3);
}

TEST_CASE("the three ways to name values pack the same bytes", "[archive]") {
  std::array<std::byte, 12> call, ampersand, shift;
  Writer(call.data(), 12)(7, 0.5);
  Writer(ampersand.data(), 12) & 7 & 0.5;
  Writer(shift.data(), 12) << 7 << 0.5;
  CHECK(call == ampersand);
  CHECK(call == shift);
  int i = 0;
  double d = 0;
  Reader(call.data(), 12) >> i >> d;
  CHECK((i == 7 && d == 0.5));
  Reader(call.data(), 12) & i& d;
  CHECK((i == 7 && d == 0.5));
}

TEST_CASE("a Writer without enough room counts exactly and writes nothing behind its end", "[archive]") {
  const std::tuple<int, std::string, std::vector<std::string>, double> value{1, "two", {"three", "four"}, 5.0};
  const std::size_t needed = packed(value).size();
  for (std::size_t capacity = 0; capacity <= needed; ++capacity) {
    std::vector<std::byte> memory(needed + 1, std::byte{0xEE});
    Writer out(memory.data(), capacity);
    out(value);
    CHECK(out.bytes() == needed);
    CHECK(out.fits() == (capacity == needed));
    CHECK(std::all_of(memory.begin() + static_cast<std::ptrdiff_t>(capacity), memory.end(),
                      [](std::byte byte) { return byte == std::byte{0xEE}; }));
  }
}

TEST_CASE("a Writer that overflowed once stays silent, even for what would fit", "[archive]") {
  std::array<std::byte, 4> memory{};
  Writer out(memory.data(), memory.size());
  out(std::uint64_t{~0ULL}, std::uint8_t{0xFF});
  CHECK(out.bytes() == 9);
  CHECK(memory == std::array<std::byte, 4>{});
}

TEST_CASE("raw bytes and views of them pass through", "[archive]") {
  std::array<std::byte, 8> memory;
  Writer out(memory.data(), memory.size());
  out.raw("abcd", 4);
  out.raw(nullptr, 0);
  out(std::uint32_t{5});
  Reader in(memory.data(), memory.size());
  const std::byte* view = in.take(2);
  CHECK(view == memory.data());
  char text[2];
  in.raw(text, 2);
  CHECK(std::string_view(text, 2) == "cd");
  CHECK(in.remaining() == 4);
  CHECK_THROWS_AS(in.take(5), CorruptMessage);
  CHECK_THROWS_AS(in.take(std::numeric_limits<std::size_t>::max()), CorruptMessage);
  CHECK(in.remaining() == 4);
}

TEST_CASE("archives carry the list of payloads that they were given", "[archive]") {
  std::vector<PayloadRecord*> payloads;
  CHECK(Writer(nullptr, 0, &payloads).payloads() == &payloads);
  CHECK(Reader(nullptr, 0, &payloads).payloads() == &payloads);
  CHECK(Writer(nullptr, 0).payloads() == nullptr);
}

}  // namespace
