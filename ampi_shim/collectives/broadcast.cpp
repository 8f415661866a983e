// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/collectives/plans.hpp"

namespace kaon::ampi {

// A binomial tree over ranks counted from the root: the parent of v is v without its lowest bit.
void plan_broadcast(Schedule& schedule, const Team& team, const Piece& data, int root) {
  if (packed_bytes(data) == 0) return;
  const int from_root = (team.rank - root + team.size) % team.size;
  const auto rank_of = [&](int v) { return (v + root) % team.size; };
  int bit = 1;
  while (bit < team.size && (from_root & bit) == 0) bit *= 2;
  if (from_root != 0) {
    schedule.receive(team.peer(rank_of(from_root - bit)), data, team.side);
    schedule.fence();
  }
  for (bit /= 2; bit > 0; bit /= 2) {
    if (from_root + bit < team.size) schedule.send(team.peer(rank_of(from_root + bit)), data, team.side);
  }
}

}  // namespace kaon::ampi
