// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/placement.hpp"

#include <set>
#include <utility>

#include "kaon/chares/elements/index.hpp"
#include "kaon/runtime/base/error.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"

namespace {

using namespace kaon::testing;

/// Every element has one home, and one slot there; slots count up from 0.
void check_is_bijection(Map map, std::uint64_t count, PeId pes) {
  INFO("map " << static_cast<int>(map) << ", " << count << " elements on " << pes << " PEs");
  const Placement placement(map, count, pes);
  std::uint64_t total = 0;
  for (PeId pe = 0; pe < pes; ++pe) {
    total += placement.homed(pe);
    for (std::uint64_t slot = 0; slot < placement.homed(pe); ++slot) {
      const std::uint64_t element = placement.element(pe, slot);
      REQUIRE(element < count);
      REQUIRE(placement.home(element) == pe);
      REQUIRE(placement.slot(element, pe) == slot);
    }
  }
  CHECK(total == count);
}

}  // namespace

TEST_CASE("every element has one home and one slot there", "[chares][placement]") {
  for (const Map map : {Map::block, Map::round_robin})
    for (const std::uint64_t count : {1, 2, 3, 7, 8, 9, 64, 1001})
      for (const PeId pes : {1, 2, 3, 8, 9}) check_is_bijection(map, count, pes);
}

TEST_CASE("an element has no slot where it is not at home", "[chares][placement]") {
  for (const Map map : {Map::block, Map::round_robin}) {
    const Placement placement(map, 10, 4);
    for (std::uint64_t element = 0; element < 10; ++element)
      for (PeId pe = 0; pe < 4; ++pe)
        CHECK((placement.slot(element, pe) < placement.homed(pe)) == (placement.home(element) == pe));
  }
}

TEST_CASE("no PE has more than one element above another", "[chares][placement]") {
  for (const Map map : {Map::block, Map::round_robin}) {
    const Placement placement(map, 1001, 9);
    for (PeId pe = 0; pe < 9; ++pe) CHECK((placement.homed(pe) == 111 || placement.homed(pe) == 112));
  }
}

TEST_CASE("a block map keeps neighbours together, a round robin map parts them", "[chares][placement]") {
  const Placement block(Map::block, 100, 4), round(Map::round_robin, 100, 4);
  int changes = 0;
  for (std::uint64_t element = 1; element < 100; ++element) {
    changes += block.home(element) != block.home(element - 1);
    CHECK(round.home(element) != round.home(element - 1));
  }
  CHECK(changes == 3);
}

TEST_CASE("indices and linear indices are one to one", "[chares][index]") {
  for (const Shape shape : {Shape(7), Shape(3, 5), Shape(2, 3, 4), Shape(1, 1, 9)}) {
    std::set<std::uint64_t> seen;
    for (int x = 0; x < shape.x; ++x)
      for (int y = 0; y < shape.y; ++y)
        for (int z = 0; z < shape.z; ++z) {
          const Index index(x, y, z);
          REQUIRE(shape.contains(index));
          REQUIRE(shape.index(shape.linear(index)) == index);
          seen.insert(shape.linear(index));
        }
    CHECK(seen.size() == shape.count());
    CHECK(*seen.rbegin() == shape.count() - 1);
  }
}

TEST_CASE("a shape contains no index beyond its dimensions", "[chares][index]") {
  const Shape shape(2, 3, 4);
  for (const Index index :
       {Index(2, 0, 0), Index(0, 3, 0), Index(0, 0, 4), Index(-1, 0, 0), Index(0, -1, 0), Index(0, 0, -1)})
    CHECK_FALSE(shape.contains(index));
}

TEST_CASE("shapes that cannot be are refused", "[chares][index]") {
  CHECK_NOTHROW(check(Shape(1 << 20, 1 << 20, 1)));
  CHECK_THROWS_AS(check(Shape(0)), UsageError);
  CHECK_THROWS_AS(check(Shape(4, -1)), UsageError);
  CHECK_THROWS_AS(check(Shape(4, 4, 0)), UsageError);
  CHECK_THROWS_AS(check(Shape(1 << 20, 1 << 20, 2)), UsageError);
  CHECK_THROWS_AS(check(Shape(INT32_MAX, INT32_MAX, INT32_MAX)), UsageError);
  CHECK(kaon::testing::has(kaon::testing::thrown<UsageError>([] { check(Shape(4, 0)); }), "4 x 0 x 1"));
}
