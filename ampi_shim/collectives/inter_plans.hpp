// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/ampi_shim/collectives/plans.hpp"

// Collectives of intercommunicators: data goes from each group to the other. `root` may be MPI_ROOT, "this rank", and
// MPI_PROC_NULL, "another of this rank's group".
namespace kaon::ampi {

/// The own group, whose rank 0 speaks for it, and the number of ranks in the other.
struct Sides {
  Team local;  // side: local_group
  int remote_size = 0;
};

void plan_inter_barrier(Schedule& schedule, const Sides& sides);
void plan_inter_broadcast(Schedule& schedule, const Sides& sides, const Piece& data, int root);
void plan_inter_gather(Schedule& schedule, const Sides& sides, const Piece& mine, const Blocks& all, int root);
void plan_inter_scatter(Schedule& schedule, const Sides& sides, const Blocks& all, const Piece& mine, int root);
void plan_inter_allgather(Schedule& schedule, const Sides& sides, const Piece& mine, const Blocks& all);
void plan_inter_alltoall(Schedule& schedule, const Sides& sides, const Blocks& from, const Blocks& to);
void plan_inter_reduce(Schedule& schedule, const Sides& sides, const Reduction& reduction, int root);
void plan_inter_allreduce(Schedule& schedule, const Sides& sides, const Reduction& reduction);
/// The counts are those of the own group; all of them together are as many as those of the other group.
void plan_inter_reduce_scatter(Schedule& schedule, const Sides& sides, const Reduction& reduction,
                               Numbers<MPI_Count> counts);

}  // namespace kaon::ampi
