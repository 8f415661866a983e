// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/communicators/group.hpp"

#include "tests/support/catch.hpp"

using namespace kaon::ampi;

namespace {

using Ranks = std::vector<int>;

// Of each representation: a range, every third rank downwards, a list.
const Group kRange(4, 5);
const Group kDown(20, 4, -3);
const Group kList(Ranks{7, 2, 20, 5});

}  // namespace

TEST_CASE("a group knows its members in their order, however it keeps them", "[groups]") {
  CHECK(kRange.members() == Ranks{4, 5, 6, 7, 8});
  CHECK(kDown.members() == Ranks{20, 17, 14, 11});
  CHECK(kList.members() == Ranks{7, 2, 20, 5});
  CHECK(Group().members().empty());
  for (const Group& group : {kRange, kDown, kList}) {
    for (int member = 0; member < group.size(); ++member) CHECK(group.member_of(group[member]) == member);
    for (const int stranger : {0, 3, 9, 21, 23, 8 - 100}) CHECK(group.member_of(stranger) == MPI_UNDEFINED);
  }
  CHECK(Group().member_of(0) == MPI_UNDEFINED);
}

TEST_CASE("groups of the same members are identical in the same order, else similar", "[groups]") {
  CHECK(kRange.compare(Group(Ranks{4, 5, 6, 7, 8})) == MPI_IDENT);
  CHECK(kRange.compare(Group(8, 5, -1)) == MPI_SIMILAR);
  CHECK(kRange.compare(Group(4, 4)) == MPI_UNEQUAL);
  CHECK(kList.compare(Group(Ranks{2, 7, 5, 20})) == MPI_SIMILAR);
  CHECK(kList.compare(Group(Ranks{2, 7, 5, 21})) == MPI_UNEQUAL);
  CHECK(Group(3, 1, 5).compare(Group(Ranks{3})) == MPI_IDENT);
  CHECK(Group().compare(Group(5, 0)) == MPI_IDENT);
}

TEST_CASE("union, intersection and difference keep the order of the first group", "[groups]") {
  CHECK(kList.united(kRange).members() == Ranks{7, 2, 20, 5, 4, 6, 8});
  CHECK(kList.intersected(kRange).members() == Ranks{7, 5});
  CHECK(kList.without(kRange).members() == Ranks{2, 20});
  CHECK(kRange.intersected(kDown).size() == 0);
  CHECK(Group().united(kDown).compare(kDown) == MPI_IDENT);
}

TEST_CASE("groups are made of the members that are named, or of the others", "[groups]") {
  CHECK(kList.including(Ranks{3, 0}).members() == Ranks{5, 7});
  CHECK(kList.excluding(Ranks{3, 0}).members() == Ranks{2, 20});
  CHECK(kRange.including(Ranks{}).size() == 0);
  CHECK(kRange.excluding(Ranks{}).compare(kRange) == MPI_IDENT);
}

TEST_CASE("ranks of one group are translated to those of another", "[groups]") {
  CHECK(kRange.translate(Ranks{3, MPI_PROC_NULL, 0, 1}, kList) == Ranks{0, MPI_PROC_NULL, MPI_UNDEFINED, 3});
}

TEST_CASE("ranges name members by steps of either direction", "[groups]") {
  const std::vector<GroupRange> ranges = {{0, 4, 2}, {9, 7, -1}, {5, 5, 3}, {5, 6, 4}};
  CHECK(members_of_ranges(ranges, 10) == Ranks{0, 2, 4, 9, 8, 7, 5, 5});
  const auto of = [](GroupRange range) { return members_of_ranges(std::vector{range}, 10); };
  CHECK_FALSE(of({0, 4, 0}));
  CHECK_FALSE(of({0, 4, -1}));
  CHECK_FALSE(of({4, 0, 1}));
  CHECK_FALSE(of({-1, 4, 1}));
  CHECK_FALSE(of({0, 10, 1}));
  CHECK(of({0, 10, 3}) == Ranks{0, 3, 6, 9});  // stops before its end
}

TEST_CASE("members must be in the group, and once", "[groups]") {
  CHECK(are_distinct_members(Ranks{3, 0, 2}, 4));
  CHECK(are_distinct_members(Ranks{}, 0));
  CHECK_FALSE(are_distinct_members(Ranks{3, 0, 3}, 4));
  CHECK_FALSE(are_distinct_members(Ranks{4}, 4));
  CHECK_FALSE(are_distinct_members(Ranks{-1}, 4));
}
