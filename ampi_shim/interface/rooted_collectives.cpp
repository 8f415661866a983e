// SPDX-License-Identifier: Apache-2.0
// Barrier, and collectives with a root.
#include "kaon/ampi_shim/interface/collective_functions.hpp"

namespace kaon::ampi {

int barrier(const Call& call) {
  return collective_call(call, [&](Collective& collective) {
    Communicator& communicator = collective.communicator();
    if (communicator.is_inter()) return plan_inter_barrier(collective.schedule(), sides_of(communicator));
    if (const Places* const places = places_of(collective.rank(), communicator)) {
      plan_barrier(collective.schedule(), *places);
    } else {
      plan_barrier(collective.schedule(), team_of(communicator));
    }
  });
}

int bcast(const Call& call, void* buffer, MPI_Count count, MPI_Datatype datatype, int root) {
  return collective_call(call, [&](Collective& collective) {
    Communicator& communicator = collective.communicator();
    check_root(collective, root);
    if (root == MPI_PROC_NULL) return;
    const Piece data = piece_argument(collective, buffer, count, datatype);
    if (communicator.is_inter()) {
      plan_inter_broadcast(collective.schedule(), sides_of(communicator), data, root);
    } else if (const Places* const places = places_of(collective.rank(), communicator)) {
      plan_broadcast(collective.schedule(), *places, data, root);
    } else {
      plan_broadcast(collective.schedule(), team_of(communicator), data, root);
    }
  });
}

namespace {

/// `all()` gives the root's blocks, `mine()` what others have.
template <class Mine, class All>
void plan_gather_of(Collective& collective, const void* sendbuf, int root, Mine mine, All all) {
  const Communicator& communicator = collective.communicator();
  check_root(collective, root);
  if (root == MPI_PROC_NULL) return;
  const bool is_here = is_root(collective, root);
  const Blocks blocks = is_here ? all() : Blocks();
  Piece own;
  if (!is_here || !communicator.is_inter()) {
    own = is_here && is_in_place(collective, sendbuf) ? Piece{MPI_IN_PLACE, 0, nullptr} : mine();
  }
  if (communicator.is_inter()) {
    plan_inter_gather(collective.schedule(), sides_of(communicator), own, blocks, root);
  } else {
    plan_gather(collective.schedule(), team_of(communicator), own, blocks, root);
  }
}

template <class Mine, class All>
void plan_scatter_of(Collective& collective, const void* recvbuf, int root, Mine mine, All all) {
  const Communicator& communicator = collective.communicator();
  check_root(collective, root);
  if (root == MPI_PROC_NULL) return;
  const bool is_here = is_root(collective, root);
  const Blocks blocks = is_here ? all() : Blocks();
  Piece own;
  if (!is_here || !communicator.is_inter()) {
    own = is_here && is_in_place(collective, recvbuf) ? Piece{MPI_IN_PLACE, 0, nullptr} : mine();
  }
  if (communicator.is_inter()) {
    plan_inter_scatter(collective.schedule(), sides_of(communicator), blocks, own, root);
  } else {
    plan_scatter(collective.schedule(), team_of(communicator), blocks, own, root);
  }
}

}  // namespace

int gather(const Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
           MPI_Count recvcount, MPI_Datatype recvtype, int root) {
  return collective_call(call, [&](Collective& collective) {
    const auto mine = [&] { return piece_argument(collective, sendbuf, sendcount, sendtype); };
    const auto all = [&] {
      check_not_aliased(sendbuf, recvbuf, recvcount);
      return blocks_argument(collective, recvbuf, recvcount, recvtype);
    };
    plan_gather_of(collective, sendbuf, root, mine, all);
  });
}

int gatherv(const Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
            Counts recvcounts, Displacements displs, MPI_Datatype recvtype, int root) {
  return collective_call(call, [&](Collective& collective) {
    const auto mine = [&] { return piece_argument(collective, sendbuf, sendcount, sendtype); };
    const auto all = [&] {
      check_not_aliased(sendbuf, recvbuf, sendbuf == MPI_IN_PLACE ? 0 : sendcount);
      const int blocks = collective.communicator().peer_count();
      return blocks_argument(collective, recvbuf, {recvcounts, displs}, recvtype, blocks);
    };
    plan_gather_of(collective, sendbuf, root, mine, all);
  });
}

int scatter(const Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
            MPI_Count recvcount, MPI_Datatype recvtype, int root) {
  return collective_call(call, [&](Collective& collective) {
    const auto mine = [&] { return piece_argument(collective, recvbuf, recvcount, recvtype); };
    const auto all = [&] {
      check_not_aliased(recvbuf, sendbuf, sendcount);
      return blocks_argument(collective, sendbuf, sendcount, sendtype);
    };
    plan_scatter_of(collective, recvbuf, root, mine, all);
  });
}

int scatterv(const Call& call, const void* sendbuf, Counts sendcounts, Displacements displs, MPI_Datatype sendtype,
             void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root) {
  return collective_call(call, [&](Collective& collective) {
    const auto mine = [&] { return piece_argument(collective, recvbuf, recvcount, recvtype); };
    const auto all = [&] {
      check_not_aliased(recvbuf, sendbuf, recvbuf == MPI_IN_PLACE ? 0 : recvcount);
      const int blocks = collective.communicator().peer_count();
      return blocks_argument(collective, sendbuf, {sendcounts, displs}, sendtype, blocks);
    };
    plan_scatter_of(collective, recvbuf, root, mine, all);
  });
}

}  // namespace kaon::ampi
