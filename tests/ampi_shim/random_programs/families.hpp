// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <vector>

#include "tests/ampi_shim/random_programs/random.hpp"

/// Communicators that were made by one call: each rank of the world is in one of them, and everybody knows in which. Or
/// an intercommunicator of two parts.
struct Family {
  MPI_Comm comm = MPI_COMM_NULL;          // this rank's
  std::vector<int> part;                  // of each rank of the world
  std::vector<int> place;                 // its rank there
  std::vector<std::vector<int>> members;  // of each part, ranks of the world

  bool is_inter = false;

  const std::vector<int>& peers_of(int rank) const { return members[static_cast<std::size_t>(part_of(rank))]; }
  /// Whom it can send messages to: ranks of the world.
  const std::vector<int>& targets_of(int rank) const {
    return is_inter ? members[static_cast<std::size_t>(1 - part_of(rank))] : peers_of(rank);
  }
  int part_of(int rank) const { return part[static_cast<std::size_t>(rank)]; }
  int place_of(int rank) const { return place[static_cast<std::size_t>(rank)]; }
};

using Families = std::vector<Family>;

/// The world, a duplicate, parts of it by splitting and by groups, and two parts that face each other, the last.
/// Collective.
Families make_families(Random& plan, int rank, int size);
void free_families(Families& families);
