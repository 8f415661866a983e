// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/locations.hpp"

#include "tests/support/catch.hpp"

using namespace kaon::chares;

TEST_CASE("an element is at home until there is news of it", "[chares][locations]") {
  Locations locations(Placement(Map::round_robin, 10, 4));
  CHECK(locations.find(6) == 2);
  locations.learn(6, {1, 1});
  CHECK(locations.find(6) == 1);
  CHECK(locations.whereabouts(6).moves == 1);
  CHECK(locations.find(7) == 3);
}

TEST_CASE("older news of an element do not overwrite later ones", "[chares][locations]") {
  Locations locations(Placement(Map::round_robin, 10, 4));
  locations.learn(6, {3, 5});
  locations.learn(6, {1, 4});
  CHECK(locations.find(6) == 3);
  locations.learn(6, {0, 6});
  CHECK(locations.find(6) == 0);
}
