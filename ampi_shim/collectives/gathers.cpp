// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "kaon/ampi_shim/collectives/plans.hpp"

namespace kaon::ampi {

void plan_gather(Schedule& schedule, const Team& team, const Piece& mine, const Blocks& all, int root) {
  if (team.rank != root) {
    if (packed_bytes(mine) != 0) schedule.send(team.peer(root), mine, team.side);
    return;
  }
  for (int rank = 0; rank < team.size; ++rank) {
    const Piece block = all[rank];
    if (rank == root || packed_bytes(block) == 0) continue;
    schedule.receive(team.peer(rank), block, team.side);
  }
  if (mine.at != MPI_IN_PLACE) schedule.copy(mine, all[root]);
}

void plan_scatter(Schedule& schedule, const Team& team, const Blocks& all, const Piece& mine, int root) {
  if (team.rank != root) {
    if (packed_bytes(mine) != 0) schedule.receive(team.peer(root), mine, team.side);
    return;
  }
  for (int rank = 0; rank < team.size; ++rank) {
    const Piece block = all[rank];
    if (rank == root || packed_bytes(block) == 0) continue;
    schedule.send(team.peer(rank), block, team.side);
  }
  if (mine.at != MPI_IN_PLACE) schedule.copy(all[root], mine);
}

namespace {

// More than this is not worth packing and unpacking to save rounds.
constexpr MPI_Count kLargeGather = 32 * 1024;

/// Where the packed blocks begin that are gathered in the order of ranks from the own one on; the last is the end.
std::vector<MPI_Count> packed_starts(const Team& team, const Blocks& all) {
  std::vector<MPI_Count> starts(static_cast<std::size_t>(team.size) + 1);
  for (int i = 0; i < team.size; ++i) {
    const auto at = static_cast<std::size_t>(i);
    starts[at + 1] = starts[at] + packed_bytes(all[(team.rank + i) % team.size]);
  }
  return starts;
}

// Bruck et al. 1997, with blocks of any sizes: after round k a rank has 2^(k+1) blocks from its own on.
void gather_packed(Schedule& schedule, const Team& team, const Blocks& all, const std::vector<MPI_Count>& starts) {
  auto* packed = static_cast<std::byte*>(schedule.scratch(starts.back()));
  const auto start = [&](int block) { return starts[static_cast<std::size_t>(block)]; };
  const auto blocks = [&](int first, int end) { return bytes_at(packed + start(first), start(end) - start(first)); };
  schedule.copy(all[team.rank], blocks(0, 1));
  for (int have = 1; have < team.size; have *= 2) {
    const int more = std::min(have, team.size - have);
    schedule.receive(team.peer((team.rank + have) % team.size), blocks(have, have + more), team.side);
    schedule.send(team.peer((team.rank - have + team.size) % team.size), blocks(0, more), team.side);
    schedule.fence();
  }
  for (int i = 1; i < team.size; ++i) schedule.copy(blocks(i, i + 1), all[(team.rank + i) % team.size]);
}

// A ring: in each round every rank passes on the block that it got last.
void gather_by_ring(Schedule& schedule, const Team& team, const Blocks& all) {
  const int next = (team.rank + 1) % team.size;
  const int previous = (team.rank - 1 + team.size) % team.size;
  for (int round = 0; round + 1 < team.size; ++round) {
    schedule.receive(team.peer(previous), all[(previous - round + team.size) % team.size], team.side);
    schedule.send(team.peer(next), all[(team.rank - round + team.size) % team.size], team.side);
    schedule.fence();
  }
}

}  // namespace

void plan_allgather(Schedule& schedule, const Team& team, const Piece& mine, const Blocks& all) {
  const std::vector<MPI_Count> starts = packed_starts(team, all);
  if (starts.back() == 0) return;
  if (mine.at != MPI_IN_PLACE) schedule.copy(mine, all[team.rank]);
  if (starts.back() > kLargeGather) {
    gather_by_ring(schedule, team, all);
  } else {
    gather_packed(schedule, team, all, starts);
  }
}

}  // namespace kaon::ampi
