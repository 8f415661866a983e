// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/departures.hpp"

#include "tests/support/catch.hpp"

namespace kaon::ampi {
namespace {

constexpr std::uint64_t kTicksPerUs = 3;
constexpr std::uint64_t kEach = Departures::kEachUs * kTicksPerUs;
constexpr std::uint64_t kLongAgo = 1000 * Departures::kMostKept * kEach;

std::uint64_t take_all(Departures& departures, std::uint64_t now) {
  std::uint64_t taken = 0;
  while (taken <= Departures::kMostKept && departures.take(now)) ++taken;
  return taken;
}

}  // namespace

TEST_CASE("time allows departures, and what is not used is kept up to a limit", "[ampi][messages]") {
  Departures departures(kTicksPerUs);
  std::uint64_t now = kLongAgo;
  CHECK(take_all(departures, now) == Departures::kMostKept);
  CHECK_FALSE(departures.take(now + kEach - 1));
  CHECK(departures.take(now + kEach));
  CHECK_FALSE(departures.take(now + kEach));
  CHECK(take_all(departures, now += 8 * kEach) == 7);
  CHECK(take_all(departures, now + 2 * kLongAgo) == Departures::kMostKept);
}

TEST_CASE("a clock that has just begun allows what it has counted", "[ampi][messages]") {
  Departures departures(kTicksPerUs);
  CHECK_FALSE(departures.take(0));
  CHECK(take_all(departures, 5 * kEach) == 5);
}

TEST_CASE("sends are told of once", "[ampi][messages]") {
  Departures departures(kTicksPerUs);
  CHECK_FALSE(departures.take_sends());
  departures.note_send();
  departures.note_send();
  CHECK(departures.take_sends());
  CHECK_FALSE(departures.take_sends());
}

}  // namespace kaon::ampi
