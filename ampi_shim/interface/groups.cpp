// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>

#include "kaon/ampi_shim/communicators/group_object.hpp"
#include "kaon/ampi_shim/interface/call.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"

namespace kaon::ampi {

namespace {

std::span<const int> ranks_argument(int n, const int* ranks) {
  require(n >= 0, MPI_ERR_ARG, "the number of ranks is {}", n);
  require(ranks != nullptr || n == 0, MPI_ERR_ARG, "the list of ranks is a null pointer");
  return {ranks, static_cast<std::size_t>(n)};
}

/// Members of a group, each at most once.
std::span<const int> members_argument(const Group& group, int n, const int* ranks) {
  const std::span<const int> members = ranks_argument(n, ranks);
  require(are_distinct_members(members, group.size()), MPI_ERR_RANK,
          "a rank is not in the group, which has {} members, or is there twice", group.size());
  return members;
}

std::vector<int> ranges_argument(const Group& group, int n, const int (*ranges)[3]) {
  require(n >= 0, MPI_ERR_ARG, "the number of ranges is {}", n);
  require(ranges != nullptr || n == 0, MPI_ERR_ARG, "the list of ranges is a null pointer");
  std::vector<GroupRange> list;
  for (int i = 0; i < n; ++i) {
    require(ranges[i][2] != 0, MPI_ERR_ARG, "the stride of range {} is 0", i);
    list.push_back({ranges[i][0], ranges[i][1], ranges[i][2]});
  }
  const auto members = members_of_ranges(list, group.size());
  require(members && are_distinct_members(*members, group.size()), MPI_ERR_RANK,
          "a range leads out of the group, which has {} members, or away from its end, or they overlap", group.size());
  return *members;
}

/// A function that makes a group.
template <class Make>
int new_group(const char* function, MPI_Group* group, Make make) {
  return mpi_call(function, [&] {
    require_place(group, "newgroup");
    *group = give(make());
  });
}

}  // namespace

extern "C" {

int MPI_Group_size(MPI_Group group, int* size) {
  return mpi_call("MPI_Group_size", [&] {
    require_place(size, "size");
    *size = group_of(group).size();
  });
}

int MPI_Group_rank(MPI_Group group, int* rank) {
  return mpi_call("MPI_Group_rank", [&] {
    require_place(rank, "rank");
    *rank = group_of(group).member_of(running_rank().number());
  });
}

int MPI_Group_compare(MPI_Group group1, MPI_Group group2, int* result) {
  return mpi_call("MPI_Group_compare", [&] {
    require_place(result, "result");
    *result = group_of(group1).compare(group_of(group2));
  });
}

int MPI_Group_translate_ranks(MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int ranks2[]) {
  return mpi_call("MPI_Group_translate_ranks", [&] {
    const Group& group = group_of(group1);
    const Group& other = group_of(group2);
    const std::span<const int> members = ranks_argument(n, ranks1);
    require(ranks2 != nullptr || n == 0, MPI_ERR_ARG, "ranks2 is a null pointer");
    for (const int member : members) {
      require(member == MPI_PROC_NULL || (member >= 0 && member < group.size()), MPI_ERR_RANK,
              "rank {} is not in the first group, which has {} members", member, group.size());
    }
    const std::vector<int> translated = group.translate(members, other);
    std::copy(translated.begin(), translated.end(), ranks2);
  });
}

int MPI_Group_incl(MPI_Group group, int n, const int ranks[], MPI_Group* newgroup) {
  return new_group("MPI_Group_incl", newgroup, [&] {
    const Group& from = group_of(group);
    return from.including(members_argument(from, n, ranks));
  });
}

int MPI_Group_excl(MPI_Group group, int n, const int ranks[], MPI_Group* newgroup) {
  return new_group("MPI_Group_excl", newgroup, [&] {
    const Group& from = group_of(group);
    return from.excluding(members_argument(from, n, ranks));
  });
}

int MPI_Group_range_incl(MPI_Group group, int n, int ranges[][3], MPI_Group* newgroup) {
  return new_group("MPI_Group_range_incl", newgroup, [&] {
    const Group& from = group_of(group);
    return from.including(ranges_argument(from, n, ranges));
  });
}

int MPI_Group_range_excl(MPI_Group group, int n, int ranges[][3], MPI_Group* newgroup) {
  return new_group("MPI_Group_range_excl", newgroup, [&] {
    const Group& from = group_of(group);
    return from.excluding(ranges_argument(from, n, ranges));
  });
}

int MPI_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) {
  return new_group("MPI_Group_union", newgroup, [&] { return group_of(group1).united(group_of(group2)); });
}

int MPI_Group_intersection(MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) {
  return new_group("MPI_Group_intersection", newgroup, [&] { return group_of(group1).intersected(group_of(group2)); });
}

int MPI_Group_difference(MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) {
  return new_group("MPI_Group_difference", newgroup, [&] { return group_of(group1).without(group_of(group2)); });
}

int MPI_Group_free(MPI_Group* group) {
  return mpi_call("MPI_Group_free", [&] {
    require_place(group, "group");
    free_group(*group);
    *group = MPI_GROUP_NULL;
  });
}

}  // extern "C"

}  // namespace kaon::ampi
