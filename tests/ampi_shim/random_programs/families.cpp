// SPDX-License-Identifier: Apache-2.0
#include "tests/ampi_shim/random_programs/families.hpp"

#include <algorithm>
#include <numeric>

#include "tests/ampi_shim/random_programs/reporting.hpp"

namespace {

/// `order`: all ranks of the world; the parts have theirs in this order.
Family described(std::vector<int> part, const std::vector<int>& order) {
  Family family;
  family.part = std::move(part);
  family.place.resize(order.size());
  family.members.resize(static_cast<std::size_t>(*std::max_element(family.part.begin(), family.part.end()) + 1));
  for (const int rank : order) {
    std::vector<int>& members = family.members[static_cast<std::size_t>(family.part_of(rank))];
    family.place[static_cast<std::size_t>(rank)] = static_cast<int>(members.size());
    members.push_back(rank);
  }
  return family;
}

std::vector<int> ranks_in_order(int size) {
  std::vector<int> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<int> shuffled(Random& plan, int size) {
  std::vector<int> order = ranks_in_order(size);
  for (int i = size - 1; i > 0; --i)
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(plan.below(i + 1))]);
  return order;
}

std::vector<int> random_parts(Random& plan, int size, int most) {
  std::vector<int> part(static_cast<std::size_t>(size));
  for (int& each : part) each = plan.below(most);
  return part;
}

Family split(Random& plan, int rank, int size) {
  const std::vector<int> order = shuffled(plan, size);
  Family family = described(random_parts(plan, size, 3), order);
  const auto key = static_cast<int>(std::find(order.begin(), order.end(), rank) - order.begin());
  MPI_Comm_split(MPI_COMM_WORLD, family.part_of(rank), key, &family.comm);
  return family;
}

Family of_groups(Random& plan, int rank, int size) {
  Family family = described(random_parts(plan, size, 2), shuffled(plan, size));
  MPI_Group world = MPI_GROUP_NULL, own = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  const std::vector<int>& members = family.peers_of(rank);
  MPI_Group_incl(world, static_cast<int>(members.size()), members.data(), &own);
  if (plan.one_in(2))
    MPI_Comm_create(MPI_COMM_WORLD, own, &family.comm);
  else
    MPI_Comm_create_group(MPI_COMM_WORLD, own, 5, &family.comm);
  MPI_Group_free(&own);
  MPI_Group_free(&world);
  return family;
}

/// A duplicate where all are on one side.
Family of_two_sides(Random& plan, int rank, int size) {
  Family family = described(random_parts(plan, size, 2), ranks_in_order(size));
  family.is_inter = family.members.size() == 2 && !family.members[0].empty();
  if (!family.is_inter) {
    MPI_Comm_dup(MPI_COMM_WORLD, &family.comm);
    return family;
  }
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, family.part_of(rank), 0, &own);
  MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, family.targets_of(rank).front(), 6, &family.comm);
  MPI_Comm_free(&own);
  return family;
}

}  // namespace

Families make_families(Random& plan, int rank, int size) {
  const std::vector<int> together(static_cast<std::size_t>(size), 0);
  Families families{described(together, ranks_in_order(size)), described(together, ranks_in_order(size))};
  families[0].comm = MPI_COMM_WORLD;
  MPI_Comm_dup(MPI_COMM_WORLD, &families[1].comm);
  families.push_back(split(plan, rank, size));
  families.push_back(of_groups(plan, rank, size));
  families.push_back(of_two_sides(plan, rank, size));
  for (const Family& family : families) {
    int place = -1, members = 0;
    MPI_Comm_rank(family.comm, &place);
    MPI_Comm_size(family.comm, &members);
    check(place == family.place_of(rank) && members == static_cast<int>(family.peers_of(rank).size()),
          "a communicator has other ranks than it was made of");
  }
  return families;
}

void free_families(Families& families) {
  for (Family& family : families)
    if (family.comm != MPI_COMM_WORLD) MPI_Comm_free(&family.comm);
}
