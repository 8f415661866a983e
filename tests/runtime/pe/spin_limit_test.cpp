// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/spin_limit.hpp"

#include "tests/support/catch.hpp"

using namespace kaon::testing;
using namespace std::chrono_literals;

TEST_CASE("a PE that is sent to each millisecond looks for longer than that", "[runtime][spin_limit]") {
  SpinLimit limit(100us);
  CHECK(limit.get() == 100us);
  for (int i = 0; i < 20; ++i) limit.note(1ms);
  CHECK(limit.get() > 1ms);
  CHECK(limit.get() < 3ms);
}

TEST_CASE("a PE that is sent to within microseconds looks for the least time", "[runtime][spin_limit]") {
  SpinLimit limit(100us);
  for (int i = 0; i < 50; ++i) limit.note(5us);
  CHECK(limit.get() == 100us);
}

TEST_CASE("a PE that waits for long, or waited for long once more, looks for the least time", "[runtime][spin_limit]") {
  SpinLimit limit(100us);
  for (int i = 0; i < 50; ++i) limit.note(3ms);
  CHECK(limit.get() == 100us);
  for (int i = 0; i < 50; ++i) limit.note(1ms);
  limit.note(1h);
  CHECK(limit.get() == 100us);
}
