// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/resident/cut.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "tests/support/catch.hpp"

namespace {

using jacobi3d::Cut;
using jacobi3d::Divisor;
using jacobi3d::Edges;
using jacobi3d::Parts;
using jacobi3d::Triple;

constexpr std::uint32_t kMostDivisor = std::uint32_t{1} << 30;
constexpr int kMostNumber = std::numeric_limits<int>::max();

// Whether numbers are divided as they should be, those at which the quotient changes above all.
bool is_exact(std::uint32_t divisor, std::mt19937& random) {
  const Divisor by(divisor);
  const auto is_right = [&](std::int64_t number) {
    if (number < 0 || number > kMostNumber) return true;
    const int n = static_cast<int>(number);
    return by.divide(n) == n / static_cast<int>(divisor);
  };
  bool is = is_right(0) && is_right(1) && is_right(kMostNumber);
  const std::int64_t most = kMostNumber / divisor;
  std::uniform_int_distribution<std::int64_t> quotients(0, most), numbers(0, kMostNumber);
  for (const std::int64_t quotient : {std::int64_t{1}, most, quotients(random), quotients(random)})
    for (int beside = -1; beside <= 1; ++beside) is &= is_right(quotient * divisor + beside);
  return is && is_right(numbers(random)) && is_right(numbers(random));
}

// How often each of `count` things is given out, to those from first(part) to first(part + 1).
template <class First>
std::vector<int> given(int count, int first_part, int parts, First first) {
  std::vector<int> times(static_cast<std::size_t>(count));
  for (int part = first_part; part < first_part + parts; ++part)
    for (int i = first(part); i < first(part + 1); ++i) ++times.at(static_cast<std::size_t>(i));
  return times;
}

bool is_each_once(const std::vector<int>& times) {
  return std::all_of(times.begin(), times.end(), [](int count) { return count == 1; });
}

// As the entries read it: the x planes of each item.
std::vector<int> planes_of_a_column(const Cut& cut, int nx) {
  std::vector<int> times(static_cast<std::size_t>(nx));
  for (int item = 0; item < cut.items; item += cut.columns) {
    const int first = cut.first_x + cut.by_columns.divide(item) * cut.planes;
    for (int x = first; x < std::min(first + cut.planes, cut.last_x); ++x) ++times.at(static_cast<std::size_t>(x));
  }
  return times;
}

void check_edge(const Cut& cut, int side, bool is_there, const Triple& shape, const Parts& parts) {
  int with_edge = 0, first = -1;
  for (int part = 0; part < parts.count; ++part)
    if (cut.has_edge(part, side) && with_edge++ == 0) first = part;
  CHECK(with_edge == (is_there ? jacobi3d::parts_of_edge(shape, parts) : 0));
  if (!is_there) return;
  CHECK(first == (side == 0 ? 0 : parts.count - with_edge));
  CHECK(is_each_once(given(cut.columns, first, with_edge, [&](int part) { return cut.first_column(part, side); })));
}

void check(const Triple& shape, const Parts& parts, const Edges& edges) {
  CAPTURE(shape, parts.count, parts.warps, parts.are_in_cache, edges.low, edges.high);
  const Cut cut = jacobi3d::best_cut(shape, parts, edges);
  CHECK(cut.parts == parts.count);
  CHECK(cut.points == shape[1] * shape[2]);
  CHECK((cut.columns * Cut::kWidth >= cut.points && (cut.columns - 1) * Cut::kWidth < cut.points));
  CHECK(is_each_once(given(cut.items, 0, parts.count, [&](int part) { return cut.first_item(part); })));
  check_edge(cut, 0, edges.low, shape, parts);
  check_edge(cut, 1, edges.high, shape, parts);
  std::vector<int> planes = planes_of_a_column(cut, shape[0]);
  if (edges.low) ++planes.front();
  if (edges.high && (shape[0] > 1 || !edges.low)) ++planes.back();  // one plane may be both
  CHECK(is_each_once(planes));
}

}  // namespace

TEST_CASE("a divisor that is known before divides exactly", "[jacobi3d][level]") {
  std::mt19937 random(1);
  bool is_right = true;
  for (std::uint32_t divisor = 1; divisor <= 5000; ++divisor) is_right &= is_exact(divisor, random);
  for (int shift = 1; shift <= 30; ++shift)
    for (int beside = -1; beside <= 1; ++beside)
      if (const std::int64_t divisor = (std::int64_t{1} << shift) + beside; divisor <= kMostDivisor)
        is_right &= is_exact(static_cast<std::uint32_t>(divisor), random);
  std::uniform_int_distribution<std::uint32_t> divisors(1, kMostDivisor);
  for (int i = 0; i < 5000; ++i) is_right &= is_exact(divisors(random), random);
  CHECK(is_right);
}

TEST_CASE("a cut gives each point of a block to one part", "[jacobi3d][level]") {
  for (const Triple& shape : {Triple{1, 1, 1}, Triple{1, 24, 24}, Triple{2, 3, 5}, Triple{3, 32, 1}, Triple{24, 1, 1},
                              Triple{5, 11, 3}, Triple{24, 24, 24}, Triple{40, 17, 13}, Triple{16, 128, 64}})
    for (const int count : {1, 2, 3, 7, 16, 131})
      for (const int warps : {1, 4, 16})
        for (const bool are_in_cache : {false, true})
          for (const int edges : {0, 1, 2, 3})
            check(shape, {count, warps, are_in_cache}, {(edges & 1) != 0, (edges & 2) != 0});
}

TEST_CASE("shares of a cut are nearly equal", "[jacobi3d][level]") {
  const Triple shape{64, 64, 64};
  const Parts parts{13, 16, true};
  const Cut cut = jacobi3d::best_cut(shape, parts, {false, false});
  for (int part = 0; part < parts.count; ++part) {
    const int items = cut.first_item(part + 1) - cut.first_item(part);
    CHECK((items == cut.items / parts.count || items == cut.items / parts.count + 1));
  }
  // Parts with an edge, which they relax first, have no more of the rest than others.
  const Cut with_edge = jacobi3d::best_cut(shape, parts, {true, false});
  REQUIRE(with_edge.edge_parts[0] < parts.count);
  const int last = parts.count - 1;
  CHECK(with_edge.first_item(1) <= with_edge.first_item(last + 1) - with_edge.first_item(last));
}
