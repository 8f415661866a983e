// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/core_share.hpp"

#include <vector>

#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace {

const std::vector<ProcessorMask> kPairs{{0b0011}, {0b1100}, {0b0011}, {0b1100}};

}  // namespace

TEST_CASE("processes with cores of their own share them with nobody", "[launch]") {
  const std::vector<ProcessorMask> masks{{0b001}, {0b010}, {0b100}};
  for (std::size_t own = 0; own < masks.size(); ++own) CHECK(core_share(masks, own) == CoreShare{0, 1});
}

TEST_CASE("processes that may use the same cores share them", "[launch]") {
  CHECK(core_share(kPairs, 0) == CoreShare{0, 2});
  CHECK(core_share(kPairs, 1) == CoreShare{0, 2});
  CHECK(core_share(kPairs, 2) == CoreShare{1, 2});
  CHECK(core_share(kPairs, 3) == CoreShare{1, 2});
}

TEST_CASE("processors of two masks are compared beyond their first word", "[launch]") {
  const std::vector<ProcessorMask> masks{{1, 0, 1}, {2, 1}, {4, 0, 3}};
  CHECK(core_share(masks, 0) == CoreShare{0, 2});
  CHECK(core_share(masks, 1) == CoreShare{0, 1});
  CHECK(core_share(masks, 2) == CoreShare{1, 2});
}

TEST_CASE("a process of which nothing is known may be anywhere", "[launch]") {
  const std::vector<ProcessorMask> masks{{}, {1}, {2}};
  CHECK(core_share(masks, 0) == CoreShare{0, 3});
  CHECK(core_share(masks, 1) == CoreShare{1, 2});
}

}  // namespace kaon::testing
