// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/ampi_shim/collectives/blocks.hpp"
#include "kaon/ampi_shim/collectives/schedule.hpp"

// What a rank does in each collective, written down in a schedule. Where the standard lets MPI_IN_PLACE stand for a
// buffer, the piece or address of it may be that. Roots, counts and buffers have been checked.
namespace kaon::ampi {

/// Those who take part, and the own rank among them.
struct Team {
  int rank = 0;
  int size = 0;
  Side side = Side::peers;
  /// Some ranks of the communicator; nullptr: all. They are looked at while a schedule is written down.
  const int* members = nullptr;

  int peer(int team_rank) const { return members == nullptr ? team_rank : members[team_rank]; }
};

/// The operands of a reduction. `from` may be MPI_IN_PLACE: then the values are in the result's memory.
struct Reduction {
  const void* from = nullptr;
  Piece result;
  const Operation* operation = nullptr;

  // What this rank gives: with MPI_IN_PLACE it lies where the result will.
  [[nodiscard]] Piece own() const {
    if (from == MPI_IN_PLACE) return result;
    return {const_cast<void*>(from), result.count, result.type};
  }
};

void plan_barrier(Schedule& schedule, const Team& team);
void plan_broadcast(Schedule& schedule, const Team& team, const Piece& data, int root);

void plan_gather(Schedule& schedule, const Team& team, const Piece& mine, const Blocks& all, int root);
void plan_scatter(Schedule& schedule, const Team& team, const Blocks& all, const Piece& mine, int root);
void plan_allgather(Schedule& schedule, const Team& team, const Piece& mine, const Blocks& all);
void plan_alltoall(Schedule& schedule, const Team& team, const Blocks& from, const Blocks& to, bool in_place);

void plan_reduce(Schedule& schedule, const Team& team, const Reduction& reduction, int root);
void plan_allreduce(Schedule& schedule, const Team& team, const Reduction& reduction);
/// The result's count is that of all blocks; `mine` is where the own block goes.
void plan_reduce_scatter(Schedule& schedule, const Team& team, const Reduction& reduction, Numbers<MPI_Count> counts,
                         void* mine);
void plan_scan(Schedule& schedule, const Team& team, const Reduction& reduction);
void plan_exscan(Schedule& schedule, const Team& team, const Reduction& reduction);

}  // namespace kaon::ampi
