// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/ports/roster.hpp"

#include <string>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::testing;

TEST_CASE("a roster of one host counts PEs through its processes", "[runtime][roster]") {
  const Roster roster(3, 4);
  CHECK(roster.pes() == 12);
  CHECK(roster.hosts() == 1);
  CHECK(roster.process_of(7) == 1);
  CHECK(roster.local_index(7) == 3);
  CHECK(roster.first_pe(2) == 8);
  CHECK(roster.host_of(11) == 0);
  CHECK(roster.seat(2) == seat_on_one_host(2, 3));
  CHECK(roster.seat(2) == Seat{2, 3, 0, 1, 2, 3, 2, 3});
}

TEST_CASE("a process has a place among those of its host, whatever its number", "[runtime][roster]") {
  const Roster roster(std::vector{0, 0, 0, 1, 1, 2, 0}, 1);
  CHECK(roster.seat(0) == Seat{0, 7, 0, 3, 0, 4, 0, 4});
  CHECK(roster.seat(4) == Seat{4, 7, 1, 3, 1, 2, 1, 2});
  CHECK(roster.seat(5) == Seat{5, 7, 2, 3, 0, 1, 0, 1});
  CHECK(roster.seat(6) == Seat{6, 7, 0, 3, 3, 4, 3, 4});
}

TEST_CASE("the neighbors of a process are the others of its host", "[runtime][roster]") {
  const Roster roster(std::vector{0, 0, 0, 1, 1, 2, 0}, 2);
  CHECK(roster.neighbors_of(1) == std::vector{0, 2, 6});
  CHECK(roster.neighbors_of(6) == std::vector{0, 1, 2});
  CHECK(roster.neighbors_of(4) == std::vector{3});
  CHECK(roster.neighbors_of(5).empty());
}

TEST_CASE("the PEs of a host are numbered without gaps", "[runtime][roster]") {
  const std::vector<int> hosts =
      GENERATE(std::vector{0, 1, 0, 1, 0}, std::vector{2, 2, 1, 0, 0, 0}, std::vector{0, 0, 1, 1});
  const Roster roster(hosts, 3);
  std::vector<PeId> seen(static_cast<std::size_t>(roster.hosts()), 0);
  for (PeId pe = 0; pe < roster.pes(); ++pe) {
    const int host = roster.host_of(pe);
    CHECK(host == hosts[pe / 3]);
    CHECK(roster.index_on_host(pe) == seen[static_cast<std::size_t>(host)]);
    CHECK(roster.pe_on_host(host, seen[static_cast<std::size_t>(host)]++) == pe);
  }
  for (int host = 0; host < roster.hosts(); ++host)
    CHECK(roster.pes_on_host(host) == seen[static_cast<std::size_t>(host)]);
}

TEST_CASE("a roster that makes no sense is refused", "[runtime][roster]") {
  CHECK_THROWS_WITH(Roster(2, 0), contains_text("--pes"));
  CHECK_THROWS_AS(Roster(0, 1), UsageError);
  CHECK_THROWS_WITH(Roster(1 << 16, 1 << 8), contains_text("16777216 PEs are more than a run can have"));
  CHECK_THROWS_WITH(Roster(std::vector{0, 2, 2}, 1), contains_text("host 1 of 3 has no process"));
  CHECK_THROWS_AS(Roster(std::vector{0, 3}, 1), UsageError);
  CHECK_THROWS_AS(Roster(std::vector{-1}, 1), UsageError);
}
