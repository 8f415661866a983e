// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "kaon/ampi_shim/collectives/plans.hpp"

namespace kaon::ampi {

namespace {

// So many exchanges are under way at once: enough to fill the wire, few enough for the memory of a thousand ranks.
constexpr int kExchanges = 32;

/// Packed copies of the blocks, for an exchange that overwrites them.
std::vector<Piece> packed_copies(Schedule& schedule, const Team& team, const Blocks& blocks) {
  std::vector<Piece> copies;
  copies.reserve(static_cast<std::size_t>(team.size));
  for (int rank = 0; rank < team.size; ++rank) {
    const Piece block = blocks[rank];
    const MPI_Count bytes = rank == team.rank ? 0 : packed_bytes(block);
    copies.push_back(bytes_at(schedule.scratch(bytes), bytes));
    if (bytes != 0) schedule.copy(block, copies.back());
  }
  return copies;
}

template <typename From>
void exchange(Schedule& schedule, const Team& team, const From& from, const Blocks& to) {
  for (int step = 1; step < team.size; ++step) {
    const int source = (team.rank - step + team.size) % team.size;
    const int destination = (team.rank + step) % team.size;
    const Piece arriving = to[source];
    const Piece leaving = from(destination);
    if (packed_bytes(arriving) != 0) schedule.receive(team.peer(source), arriving, team.side);
    if (packed_bytes(leaving) != 0) schedule.send(team.peer(destination), leaving, team.side);
    if (step % kExchanges == 0) schedule.fence();
  }
}

}  // namespace

void plan_alltoall(Schedule& schedule, const Team& team, const Blocks& from, const Blocks& to, bool in_place) {
  if (in_place) {
    const std::vector<Piece> copies = packed_copies(schedule, team, to);
    exchange(
        schedule, team, [&](int rank) { return copies[static_cast<std::size_t>(rank)]; }, to);
    return;
  }
  schedule.copy(from[team.rank], to[team.rank]);
  exchange(
      schedule, team, [&](int rank) { return from[rank]; }, to);
}

}  // namespace kaon::ampi
