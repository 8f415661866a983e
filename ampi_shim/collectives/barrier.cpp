// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/collectives/plans.hpp"

namespace kaon::ampi {

// Dissemination (Hensgen, Finkel, Manber 1988): after round k everybody knows of the 2^(k+1) ranks up to himself.
void plan_barrier(Schedule& schedule, const Team& team) {
  const Piece nothing = bytes_at(nullptr, 0);
  for (int distance = 1; distance < team.size; distance *= 2) {
    schedule.receive(team.peer((team.rank - distance + team.size) % team.size), nothing, team.side);
    schedule.send(team.peer((team.rank + distance) % team.size), nothing, team.side);
    schedule.fence();
  }
}

}  // namespace kaon::ampi
