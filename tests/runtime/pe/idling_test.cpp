// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/idling.hpp"

#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::idlings {

constexpr double kForLong = 60e6;  // microseconds; machines that run tests have run for longer
constexpr int kMany = 1000;

// How often in a row it may look before it sleeps, or kMany.
int looks(Idling& idling, Pe& pe) {
  int count = 0;
  while (count < kMany && idling.may_look_again(pe)) ++count;
  return count;
}

TEST_CASE("a PE that is not to spin looks once more and sleeps, and so after each work", "[runtime][idling]") {
  Network network({1, 1});
  Idling idling(0, false);
  CHECK(looks(idling, network.pe(0)) == 1);
  CHECK(looks(idling, network.pe(0)) == 0);
  idling.is_over();
  CHECK(looks(idling, network.pe(0)) == 1);
}

TEST_CASE("a PE among more than there are cores gives way to others some times before it sleeps", "[runtime][idling]") {
  Network network({1, 1});
  Idling idling(-1, true);  // as by default
  CHECK(looks(idling, network.pe(0)) == 5);
  CHECK(looks(idling, network.pe(0)) == 0);
  idling.is_over();
  CHECK(looks(idling, network.pe(0)) == 5);
}

TEST_CASE("a PE that is to spin for long does not sleep", "[runtime][idling]") {
  Network network({1, 1});
  const bool is_crowded = GENERATE(false, true);
  Idling idling(kForLong, is_crowded);
  CHECK(looks(idling, network.pe(0)) == kMany);
  idling.is_over();
  CHECK(looks(idling, network.pe(0)) == kMany);
}

TEST_CASE("a PE that is to spin for a while sleeps in the end", "[runtime][idling]") {
  Network network({1, 1});
  Idling idling(1, false);
  while (idling.may_look_again(network.pe(0))) {
  }
  idling.is_over();
  CHECK(idling.may_look_again(network.pe(0)));
}

}  // namespace kaon::testing::idlings
