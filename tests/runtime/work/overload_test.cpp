// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/work/overload.hpp"

#include "tests/support/catch.hpp"

using namespace kaon::testing;
using namespace std::chrono_literals;

TEST_CASE("a PE of which few tasks wait for room gives what it owes", "[runtime][overload]") {
  const auto now = Timers::Time{} + 1h;
  Timers timers;
  timers.follow(&now);
  Overload overload(timers);
  for (int i = 0; i < 10; ++i) {
    overload.note_room_wait(1);
    CHECK(overload.may_give());
  }
  CHECK_FALSE(overload.is_overloaded());
}

TEST_CASE("a PE of which many tasks wait for room gives by and by, and is its old self when they go on",
          "[runtime][overload]") {
  constexpr int kMany = 1000;
  auto now = Timers::Time{} + 1h;
  Timers timers;
  timers.follow(&now);
  Overload overload(timers);
  overload.note_room_wait(kMany);
  CHECK(overload.is_overloaded());
  for (int round = 0; round < 3; ++round) {
    CHECK(overload.may_give());
    CHECK_FALSE(overload.may_give());
    now += Overload::kPause;
    CHECK_FALSE(overload.may_give());
    now += 1s;
  }
  overload.note_room_wait(-kMany);
  CHECK_FALSE(overload.is_overloaded());
  CHECK(overload.may_give());
  CHECK(overload.may_give());
}
