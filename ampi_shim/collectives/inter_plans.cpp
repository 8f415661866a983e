// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/collectives/inter_plans.hpp"

namespace kaon::ampi {

namespace {

bool speaks(const Sides& sides) { return sides.local.rank == 0; }
bool receives(int root) { return root == MPI_ROOT; }
bool stands_by(int root) { return root == MPI_PROC_NULL; }

// `value` is what the own group sends; at its speaker.
void exchange_between_speakers(Schedule& schedule, const Sides& sides, const Piece& value, const Piece& others) {
  if (!speaks(sides)) return;
  schedule.fence();
  schedule.receive(0, others);
  schedule.send(0, value);
  schedule.fence();
}

}  // namespace

void plan_inter_barrier(Schedule& schedule, const Sides& sides) {
  const Piece nothing = bytes_at(nullptr, 0);
  plan_barrier(schedule, sides.local);
  exchange_between_speakers(schedule, sides, nothing, nothing);
  plan_barrier(schedule, sides.local);
}

void plan_inter_broadcast(Schedule& schedule, const Sides& sides, const Piece& data, int root) {
  if (stands_by(root) || packed_bytes(data) == 0) return;
  if (receives(root)) {  // the root itself, which sends here
    schedule.send(0, data);
    return;
  }
  if (speaks(sides)) schedule.receive(root, data);
  schedule.fence();
  plan_broadcast(schedule, sides.local, data, 0);
}

void plan_inter_gather(Schedule& schedule, const Sides& sides, const Piece& mine, const Blocks& all, int root) {
  if (stands_by(root)) return;
  if (!receives(root)) {
    if (packed_bytes(mine) != 0) schedule.send(root, mine);
    return;
  }
  for (int rank = 0; rank < sides.remote_size; ++rank) {
    if (packed_bytes(all[rank]) != 0) schedule.receive(rank, all[rank]);
  }
}

void plan_inter_scatter(Schedule& schedule, const Sides& sides, const Blocks& all, const Piece& mine, int root) {
  if (stands_by(root)) return;
  if (!receives(root)) {
    if (packed_bytes(mine) != 0) schedule.receive(root, mine);
    return;
  }
  for (int rank = 0; rank < sides.remote_size; ++rank) {
    if (packed_bytes(all[rank]) != 0) schedule.send(rank, all[rank]);
  }
}

void plan_inter_allgather(Schedule& schedule, const Sides& sides, const Piece& mine, const Blocks& all) {
  for (int rank = 0; rank < sides.remote_size; ++rank) {
    if (packed_bytes(all[rank]) != 0) schedule.receive(rank, all[rank]);
    if (packed_bytes(mine) != 0) schedule.send(rank, mine);
  }
}

void plan_inter_alltoall(Schedule& schedule, const Sides& sides, const Blocks& from, const Blocks& to) {
  for (int rank = 0; rank < sides.remote_size; ++rank) {
    if (packed_bytes(to[rank]) != 0) schedule.receive(rank, to[rank]);
    if (packed_bytes(from[rank]) != 0) schedule.send(rank, from[rank]);
  }
}

void plan_inter_reduce(Schedule& schedule, const Sides& sides, const Reduction& reduction, int root) {
  if (stands_by(root) || packed_bytes(reduction.result) == 0) return;
  if (receives(root)) {
    schedule.receive(0, reduction.result);
    return;
  }
  Reduction whole = reduction;
  if (speaks(sides)) whole.result = schedule.scratch_like(reduction.result.count, *reduction.result.type);
  plan_reduce(schedule, sides.local, whole, 0);
  if (speaks(sides)) schedule.send(root, whole.result);
}

void plan_inter_allreduce(Schedule& schedule, const Sides& sides, const Reduction& reduction) {
  if (packed_bytes(reduction.result) == 0) return;
  Reduction whole = reduction;
  if (speaks(sides)) whole.result = schedule.scratch_like(reduction.result.count, *reduction.result.type);
  plan_reduce(schedule, sides.local, whole, 0);
  exchange_between_speakers(schedule, sides, whole.result, reduction.result);
  schedule.fence();
  plan_broadcast(schedule, sides.local, reduction.result, 0);
}

void plan_inter_reduce_scatter(Schedule& schedule, const Sides& sides, const Reduction& reduction,
                               Numbers<MPI_Count> counts) {
  const Datatype& type = *reduction.result.type;
  Reduction whole = reduction;
  const MPI_Count count = reduction.result.count;
  Piece others{nullptr, count, &type};
  if (speaks(sides)) {
    whole.result = schedule.scratch_like(count, type);
    others = schedule.scratch_like(count, type);
  }
  plan_reduce(schedule, sides.local, whole, 0);
  exchange_between_speakers(schedule, sides, whole.result, others);
  schedule.fence();
  std::vector<MPI_Aint> starts(static_cast<std::size_t>(sides.local.size));
  std::vector<MPI_Count> sizes;
  for (int rank = 0; rank < sides.local.size; ++rank) sizes.push_back(counts[rank]);
  for (std::size_t rank = 1; rank < starts.size(); ++rank) starts[rank] = starts[rank - 1] + sizes[rank - 1];
  const Blocks blocks(others.at, Numbers<MPI_Count>(sizes.data()), Numbers<MPI_Aint>(starts.data()), type);
  const Piece mine{reduction.result.at, counts[sides.local.rank], &type};
  plan_scatter(schedule, sides.local, blocks, mine, 0);
}

}  // namespace kaon::ampi
