// SPDX-License-Identifier: Apache-2.0
// Reductions and scans.
#include "kaon/ampi_shim/interface/collective_functions.hpp"

namespace kaon::ampi {

namespace {

/// nullptr: it does not go by places.
const Places* places_for(Collective& collective, const Reduction& reduction) {
  if (!reduction.operation->is_commutative() || !is_small(reduction.result)) return nullptr;
  return places_of(collective.rank(), collective.communicator());
}

}  // namespace

int reduce(const Call& call, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
           int root) {
  return collective_call(call, [&](Collective& collective) {
    const Communicator& communicator = collective.communicator();
    check_root(collective, root);
    if (root == MPI_PROC_NULL) return;
    const bool is_here = is_root(collective, root);
    if (is_here && !communicator.is_inter()) check_not_aliased(sendbuf, recvbuf, count);
    require(is_here || sendbuf != MPI_IN_PLACE, MPI_ERR_BUFFER, "MPI_IN_PLACE is for the root only");
    // The root of an intercommunicator gives nothing.
    const void* const from = communicator.is_inter() && is_here ? recvbuf : sendbuf;
    const Reduction reduction = reduction_argument(collective, from, recvbuf, count, datatype, op);
    if (communicator.is_inter()) {
      plan_inter_reduce(collective.schedule(), sides_of(communicator), reduction, root);
    } else if (const Places* const places = places_for(collective, reduction)) {
      plan_reduce(collective.schedule(), *places, reduction, root);
    } else {
      plan_reduce(collective.schedule(), team_of(communicator), reduction, root);
    }
  });
}

int allreduce(const Call& call, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op) {
  return collective_call(call, [&](Collective& collective) {
    const Communicator& communicator = collective.communicator();
    check_not_aliased(sendbuf, recvbuf, count);
    const Reduction reduction = reduction_argument(collective, sendbuf, recvbuf, count, datatype, op);
    if (communicator.is_inter()) {
      plan_inter_allreduce(collective.schedule(), sides_of(communicator), reduction);
    } else if (const Places* const places = places_for(collective, reduction)) {
      plan_allreduce(collective.schedule(), *places, reduction);
    } else {
      plan_allreduce(collective.schedule(), team_of(communicator), reduction);
    }
  });
}

namespace {

MPI_Count sum(Counts counts, int size) {
  MPI_Count total = 0;
  for (int rank = 0; rank < size; ++rank) {
    require(counts[rank] >= 0, MPI_ERR_COUNT, "the count of rank {} is {}", rank, counts[rank]);
    total += counts[rank];
  }
  return total;
}

void plan_reduce_scatter_of(Collective& collective, const void* sendbuf, void* recvbuf, Counts counts,
                            MPI_Datatype datatype, MPI_Op op) {
  const Communicator& communicator = collective.communicator();
  const MPI_Count total = sum(counts, communicator.size());
  check_not_aliased(sendbuf, recvbuf, total);
  const Reduction reduction = reduction_argument(collective, sendbuf, recvbuf, total, datatype, op);
  if (communicator.is_inter()) {
    plan_inter_reduce_scatter(collective.schedule(), sides_of(communicator), reduction, counts);
  } else {
    plan_reduce_scatter(collective.schedule(), team_of(communicator), reduction, counts, recvbuf);
  }
}

}  // namespace

int reduce_scatter(const Call& call, const void* sendbuf, void* recvbuf, Counts recvcounts, MPI_Datatype datatype,
                   MPI_Op op) {
  return collective_call(call, [&](Collective& collective) {
    require(static_cast<bool>(recvcounts), MPI_ERR_ARG, "the list of counts is a null pointer");
    plan_reduce_scatter_of(collective, sendbuf, recvbuf, recvcounts, datatype, op);
  });
}

int reduce_scatter_block(const Call& call, const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                         MPI_Datatype datatype, MPI_Op op) {
  return collective_call(call, [&](Collective& collective) {
    const std::vector<MPI_Count> counts(static_cast<std::size_t>(collective.communicator().size()), recvcount);
    plan_reduce_scatter_of(collective, sendbuf, recvbuf, counts.data(), datatype, op);
  });
}

namespace {

int scan_of(const Call& call, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
            void (*plan)(Schedule&, const Team&, const Reduction&)) {
  return collective_call(call, [&](Collective& collective) {
    require_intra(collective.communicator());
    check_not_aliased(sendbuf, recvbuf, count);
    const Reduction reduction = reduction_argument(collective, sendbuf, recvbuf, count, datatype, op);
    plan(collective.schedule(), team_of(collective.communicator()), reduction);
  });
}

}  // namespace

int scan(const Call& call, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op) {
  return scan_of(call, sendbuf, recvbuf, count, datatype, op, &plan_scan);
}

int exscan(const Call& call, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op) {
  return scan_of(call, sendbuf, recvbuf, count, datatype, op, &plan_exscan);
}

}  // namespace kaon::ampi
