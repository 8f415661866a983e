// SPDX-License-Identifier: Apache-2.0
#include "tests/simulation/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "tests/simulation/activities.hpp"
#include "tests/simulation/actor.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::simulation {
namespace {

std::size_t number_of(const std::string& name) {
  const auto all = activities();
  return static_cast<std::size_t>(
      std::find_if(all.begin(), all.end(), [&](const Activity& each) { return each.name == name; }) - all.begin());
}

}  // namespace

TEST_CASE("each activity of a simulated program is right alone, in several shapes", "[simulation]") {
  for (std::size_t activity = 0; activity < activities().size(); ++activity)
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      Plan plan = Plan::from_seed(seed);
      plan.rounds = {{{activity, 3 * seed, 0}, {activity, 3 * seed + 1, 1}}, {{activity, 3 * seed + 2, 2}}};
      INFO(activities()[activity].name << ", seed " << seed << ": " << plan.text());
      CHECK(fault_of(plan).value_or("") == "");
    }
}

TEST_CASE("a seed makes one program, which runs in one way", "[simulation]") {
  std::size_t messages = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CHECK(Plan::from_seed(seed).text() == Plan::from_seed(seed).text());
    Outcome first, second;
    CHECK(fault_of(Plan::from_seed(seed), &first) == fault_of(Plan::from_seed(seed), &second));
    CHECK(first.messages == second.messages);
    messages += first.messages;  // a program of one round may have none
  }
  CHECK(messages > 0);
}

TEST_CASE("a plan is made smaller as long as its fault stays", "[simulation]") {
  Plan plan = Plan::from_seed(5);
  plan.rounds = {{{number_of("letters"), 1, 0}, {kFaultyActivity, 2, 0}}, {{number_of("broadcasts"), 3, 1}}};
  REQUIRE(fault_of(plan).has_value());
  const Plan small = smaller(plan, 2000);
  REQUIRE(small.rounds.size() == 1);
  REQUIRE(small.rounds[0].size() == 1);
  CHECK(small.rounds[0][0].activity == kFaultyActivity);
  CHECK(small.shape.processes == 1);
  CHECK(fault_of(small).has_value());
}

}  // namespace kaon::testing::simulation
