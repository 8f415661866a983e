// SPDX-License-Identifier: Apache-2.0
// Allgather and all-to-all.
#include "kaon/ampi_shim/interface/collective_functions.hpp"

namespace kaon::ampi {

namespace {

void plan_allgather_of(Collective& collective, const Piece& mine, const Blocks& all) {
  const Communicator& communicator = collective.communicator();
  if (communicator.is_inter()) {
    plan_inter_allgather(collective.schedule(), sides_of(communicator), mine, all);
  } else {
    plan_allgather(collective.schedule(), team_of(communicator), mine, all);
  }
}

Piece own_argument(Collective& collective, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype) {
  if (is_in_place(collective, sendbuf)) return {MPI_IN_PLACE, 0, nullptr};
  return piece_argument(collective, sendbuf, sendcount, sendtype);
}

void plan_alltoall_of(Collective& collective, const Blocks& from, const Blocks& to, bool in_place) {
  const Communicator& communicator = collective.communicator();
  if (communicator.is_inter()) {
    plan_inter_alltoall(collective.schedule(), sides_of(communicator), from, to);
  } else {
    plan_alltoall(collective.schedule(), team_of(communicator), from, to, in_place);
  }
}

}  // namespace

int allgather(const Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
              MPI_Count recvcount, MPI_Datatype recvtype) {
  return collective_call(call, [&](Collective& collective) {
    check_not_aliased(sendbuf, recvbuf, recvcount);
    const Piece mine = own_argument(collective, sendbuf, sendcount, sendtype);
    plan_allgather_of(collective, mine, blocks_argument(collective, recvbuf, recvcount, recvtype));
  });
}

int allgatherv(const Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
               Counts recvcounts, Displacements displs, MPI_Datatype recvtype) {
  return collective_call(call, [&](Collective& collective) {
    check_not_aliased(sendbuf, recvbuf, sendbuf == MPI_IN_PLACE ? 0 : sendcount);
    const Piece mine = own_argument(collective, sendbuf, sendcount, sendtype);
    const int blocks = collective.communicator().peer_count();
    plan_allgather_of(collective, mine, blocks_argument(collective, recvbuf, {recvcounts, displs}, recvtype, blocks));
  });
}

int alltoall(const Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
             MPI_Count recvcount, MPI_Datatype recvtype) {
  return collective_call(call, [&](Collective& collective) {
    check_not_aliased(sendbuf, recvbuf, recvcount);
    const bool in_place = is_in_place(collective, sendbuf);
    const Blocks from = in_place ? Blocks() : blocks_argument(collective, sendbuf, sendcount, sendtype);
    plan_alltoall_of(collective, from, blocks_argument(collective, recvbuf, recvcount, recvtype), in_place);
  });
}

int alltoallv(const Call& call, const void* sendbuf, Counts sendcounts, Displacements sdispls, MPI_Datatype sendtype,
              void* recvbuf, Counts recvcounts, Displacements rdispls, MPI_Datatype recvtype) {
  return collective_call(call, [&](Collective& collective) {
    const int blocks = collective.communicator().peer_count();
    const bool in_place = is_in_place(collective, sendbuf);
    const Blocks to = blocks_argument(collective, recvbuf, {recvcounts, rdispls}, recvtype, blocks);
    const Blocks from =
        in_place ? Blocks() : blocks_argument(collective, sendbuf, {sendcounts, sdispls}, sendtype, blocks);
    plan_alltoall_of(collective, from, to, in_place);
  });
}

int alltoallw(const Call& call, const void* sendbuf, Counts sendcounts, Displacements sdispls,
              const MPI_Datatype* sendtypes, void* recvbuf, Counts recvcounts, Displacements rdispls,
              const MPI_Datatype* recvtypes) {
  return collective_call(call, [&](Collective& collective) {
    const int blocks = collective.communicator().peer_count();
    const bool in_place = is_in_place(collective, sendbuf);
    std::vector<const Datatype*> types_sent;
    std::vector<const Datatype*> types_received;
    const Blocks to = blocks_argument(collective, recvbuf, {recvcounts, rdispls}, recvtypes, blocks, types_received);
    const Blocks from =
        in_place ? Blocks()
                 : blocks_argument(collective, sendbuf, {sendcounts, sdispls}, sendtypes, blocks, types_sent);
    plan_alltoall_of(collective, from, to, in_place);
  });
}

}  // namespace kaon::ampi
