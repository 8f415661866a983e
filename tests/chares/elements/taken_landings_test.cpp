// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/taken_landings.hpp"

#include <array>

#include "kaon/runtime/base/error.hpp"
#include "kaon/testing/scene.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::chares;
using namespace kaon::testing;

TEST_CASE("landings that overlap anywhere are refused, those side by side are not", "[chares][landings]") {
  std::array<char, 30> memory{};
  const int one = 0, other = 0;
  TakenLandings landings;
  landings.take(&one, &memory[10], 10);
  for (const std::size_t begin : {1u, 5u, 10u, 15u, 19u})
    CHECK_THROWS_AS(landings.take(&other, &memory[begin], 10), UsageError);
  CHECK_NOTHROW(landings.take(&other, &memory[0], 10));
  CHECK_NOTHROW(landings.take(&other, &memory[20], 10));
  landings.let_go(&one);
  CHECK_NOTHROW(landings.check(&memory[10], 10));
  landings.let_go(&other);
  CHECK(landings.empty());
}
