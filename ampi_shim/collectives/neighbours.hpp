// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "kaon/ampi_shim/collectives/blocks.hpp"
#include "kaon/ampi_shim/collectives/schedule.hpp"

namespace kaon::ampi {

/// With whom a rank exchanges in neighbourhood collectives, in the order of its blocks. MPI_PROC_NULL: with nobody.
struct Neighbours {
  std::vector<int> sources;
  std::vector<int> destinations;
  /// A Cartesian grid: 2d and 2d + 1 are the two directions of dimension d, and what goes in one arrives from the
  /// other.
  bool are_paired = false;
};

/// Allgather is this with the same block for all. The blocks of nobody are not touched.
void plan_neighbour_exchange(Schedule& schedule, const Neighbours& neighbours, const Blocks& from, const Blocks& to);

}  // namespace kaon::ampi
