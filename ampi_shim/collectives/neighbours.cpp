// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/collectives/neighbours.hpp"

namespace kaon::ampi {

// Several messages may go between two ranks, or from a rank to itself; they are told apart by their order. On a ring of
// two, what goes down arrives from above: there receives are posted with the directions of each dimension swapped.
void plan_neighbour_exchange(Schedule& schedule, const Neighbours& neighbours, const Blocks& from, const Blocks& to) {
  const int sources = static_cast<int>(neighbours.sources.size());
  for (int i = 0; i < sources; ++i) {
    const int slot = neighbours.are_paired ? i ^ 1 : i;
    const int source = neighbours.sources[static_cast<std::size_t>(slot)];
    if (source != MPI_PROC_NULL) schedule.receive(source, to[slot]);
  }
  const int destinations = static_cast<int>(neighbours.destinations.size());
  for (int slot = 0; slot < destinations; ++slot) {
    const int destination = neighbours.destinations[static_cast<std::size_t>(slot)];
    if (destination != MPI_PROC_NULL) schedule.send(destination, from[slot]);
  }
}

}  // namespace kaon::ampi
