// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/sending/pe_grid.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace {

/// Hops from PE to PE.
int hops_between(const Roster& roster, PeId from, PeId to) {
  int hops = 0;
  for (; from != to && hops < 10; ++hops) {
    from = PeGrid(roster, from).next_hop(to);
    REQUIRE(from < roster.pes());
  }
  return hops;
}

}  // namespace

TEST_CASE("every PE is reached from every other in as many hops as the grid has dimensions", "[grid]") {
  for (const auto& [processes, pes] : {std::pair{1, 4}, {2, 1}, {5, 3}, {8, 2}, {9, 1}, {11, 2}, {16, 3}, {23, 1}}) {
    INFO(processes << " processes of " << pes << " PEs");
    const Roster roster(processes, pes);
    int most = 0;
    for (PeId from = 0; from < roster.pes(); ++from)
      for (PeId to = 0; to < roster.pes(); ++to) most = std::max(most, hops_between(roster, from, to));
    CHECK(most == (processes > 8 ? 2 : processes > 1 ? 1 : 0) + (pes > 1 ? 1 : 0));
  }
}

TEST_CASE("a PE of many sends to few", "[grid]") {
  const Roster roster(64, 4);
  for (PeId pe = 0; pe < roster.pes(); ++pe) CHECK(PeGrid(roster, pe).lanes() == 3 + 7 + 7);
  const Roster uneven(50, 2);
  for (PeId pe = 0; pe < uneven.pes(); ++pe) CHECK(PeGrid(uneven, pe).lanes() <= 1 + 7 + 8);
}

TEST_CASE("a lane leads to the next hop", "[grid]") {
  const Roster roster(11, 2);
  for (PeId pe = 0; pe < roster.pes(); ++pe) {
    const PeGrid grid(roster, pe);
    for (PeId to = 0; to < roster.pes(); ++to)
      if (to != pe) CHECK(grid.hop(grid.lane(to)) == grid.next_hop(to));
  }
}

}  // namespace kaon::testing
