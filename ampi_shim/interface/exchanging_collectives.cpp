// SPDX-License-Identifier: Apache-2.0
// Allgather and all-to-all.
#include "kaon/ampi_shim/collectives/meeting_broadcasts.hpp"
#include "kaon/ampi_shim/collectives/meeting_exchanges.hpp"
#include "kaon/ampi_shim/interface/collective_call.hpp"
#include "kaon/ampi_shim/interface/meeting_call.hpp"

namespace kaon::ampi {

namespace {

void plan_allgather_of(Collective& collective, const Piece& mine, const Blocks& all) {
  const Communicator& communicator = collective.communicator();
  if (communicator.is_inter()) {
    plan_inter_allgather(collective.schedule(), sides_of(communicator), mine, all);
  } else {
    check_not_aliased(mine, all[communicator.rank()]);
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
    if (!in_place) check_not_aliased(from[communicator.rank()], to[communicator.rank()]);
    plan_alltoall(collective.schedule(), team_of(communicator), from, to, in_place);
  }
}

/// What a rank gives to an allgather, and where it receives.
struct Gathering {
  Piece mine;
  Blocks all;
};

bool gathered_at_meeting(const Call& call, Collective& arguments, const Gathering& gathering) {
  Rank& rank = arguments.rank();
  Communicator& communicator = arguments.communicator();
  const int size = communicator.size();
  const bool in_place = gathering.mine.at == MPI_IN_PLACE;
  const Piece own = in_place ? gathering.all[communicator.rank()] : gathering.mine;
  check_not_aliased(gathering.mine, gathering.all[communicator.rank()]);
  const bool is_on_device = has_device_memory(rank, own) || has_device_memory(rank, gathering.all, size);
  Meeting* const meeting = meeting_for(call, rank, communicator, is_on_device);
  if (meeting == nullptr) return false;
  const ReachableBlocks mine(rank, Blocks(own.at, own.count, *own.type), 1);
  AllgatherShare share(mine.blocks()[0], gathering.all);
  meeting->attend({call.function, rank, communicator}, share);
  return true;
}

/// `arguments(collective)` checks and gives them.
template <class Arguments>
int allgather_of(const Call& call, Arguments arguments) {
  const auto plan = [&](Collective& collective) {
    const Gathering gathering = arguments(collective);
    plan_allgather_of(collective, gathering.mine, gathering.all);
  };
  return collective_call(call, plan, [&](Rank& rank, Communicator& communicator) {
    if (Meeting::of(rank, communicator) == nullptr) return false;
    Collective collective(call.function, rank, communicator, Collective::Lifetime::once);
    return gathered_at_meeting(call, collective, arguments(collective));
  });
}

/// What a rank gives to an all-to-all, and where it receives.
struct Exchange {
  bool in_place;
  Blocks from;
  Blocks to;
};

bool exchanged_at_meeting(const Call& call, Collective& arguments, const Exchange& exchange) {
  Rank& rank = arguments.rank();
  Communicator& communicator = arguments.communicator();
  const int size = communicator.size();
  const Blocks& sent = exchange.in_place ? exchange.to : exchange.from;
  if (!exchange.in_place) check_not_aliased(sent[communicator.rank()], exchange.to[communicator.rank()]);
  const bool is_on_device = has_device_memory(rank, exchange.to, size) || has_device_memory(rank, sent, size);
  Meeting* const meeting = meeting_for(call, rank, communicator, is_on_device);
  if (meeting == nullptr) return false;
  ReachableBlocks from(rank, sent, size);
  if (exchange.in_place) from.pack();
  const ReachableBlocks to(rank, exchange.to, size);
  ExchangeShare share(from.blocks(), to.blocks());
  meeting->attend({call.function, rank, communicator}, share);
  to.copy_back();
  return true;
}

template <class Arguments>
int alltoall_of(const Call& call, Arguments arguments) {
  const auto plan = [&](Collective& collective) {
    const Exchange exchange = arguments(collective);
    plan_alltoall_of(collective, exchange.from, exchange.to, exchange.in_place);
  };
  return collective_call(call, plan, [&](Rank& rank, Communicator& communicator) {
    if (Meeting::of(rank, communicator) == nullptr) return false;
    Collective collective(call.function, rank, communicator, Collective::Lifetime::once);
    return exchanged_at_meeting(call, collective, arguments(collective));
  });
}

int allgather(const Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
              MPI_Count recvcount, MPI_Datatype recvtype) {
  return allgather_of(call, [&](Collective& collective) {
    check_not_aliased(sendbuf, recvbuf, recvcount);
    const Piece mine = own_argument(collective, sendbuf, sendcount, sendtype);
    return Gathering{mine, blocks_argument(collective, recvbuf, recvcount, recvtype)};
  });
}

int allgatherv(const Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
               Counts recvcounts, Displacements displs, MPI_Datatype recvtype) {
  return allgather_of(call, [&](Collective& collective) {
    check_not_aliased(sendbuf, recvbuf, sendbuf == MPI_IN_PLACE ? 0 : sendcount);
    const Piece mine = own_argument(collective, sendbuf, sendcount, sendtype);
    const int blocks = collective.communicator().peer_count();
    return Gathering{mine, blocks_argument(collective, recvbuf, {recvcounts, displs}, recvtype, blocks)};
  });
}

int alltoall(const Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
             MPI_Count recvcount, MPI_Datatype recvtype) {
  return alltoall_of(call, [&](Collective& collective) {
    check_not_aliased(sendbuf, recvbuf, recvcount);
    const bool in_place = is_in_place(collective, sendbuf);
    const Blocks from = in_place ? Blocks() : blocks_argument(collective, sendbuf, sendcount, sendtype);
    return Exchange{in_place, from, blocks_argument(collective, recvbuf, recvcount, recvtype)};
  });
}

int alltoallv(const Call& call, const void* sendbuf, Counts sendcounts, Displacements sdispls, MPI_Datatype sendtype,
              void* recvbuf, Counts recvcounts, Displacements rdispls, MPI_Datatype recvtype) {
  return alltoall_of(call, [&](Collective& collective) {
    const int blocks = collective.communicator().peer_count();
    const bool in_place = is_in_place(collective, sendbuf);
    const Blocks to = blocks_argument(collective, recvbuf, {recvcounts, rdispls}, recvtype, blocks);
    const Blocks from =
        in_place ? Blocks() : blocks_argument(collective, sendbuf, {sendcounts, sdispls}, sendtype, blocks);
    return Exchange{in_place, from, to};
  });
}

int alltoallw(const Call& call, const void* sendbuf, Counts sendcounts, Displacements sdispls,
              const MPI_Datatype* sendtypes, void* recvbuf, Counts recvcounts, Displacements rdispls,
              const MPI_Datatype* recvtypes) {
  std::vector<const Datatype*> types_sent;
  std::vector<const Datatype*> types_received;
  return alltoall_of(call, [&](Collective& collective) {
    types_sent.clear();
    types_received.clear();
    const int blocks = collective.communicator().peer_count();
    const bool in_place = is_in_place(collective, sendbuf);
    const Blocks to = blocks_argument(collective, recvbuf, {recvcounts, rdispls}, recvtypes, blocks, types_received);
    const Blocks from =
        in_place ? Blocks()
                 : blocks_argument(collective, sendbuf, {sendcounts, sdispls}, sendtypes, blocks, types_sent);
    return Exchange{in_place, from, to};
  });
}

}  // namespace

}  // namespace kaon::ampi

KAON_COLLECTIVE(MPI_Allgather, MPI_Iallgather,
                (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, Count recvcount,
                 MPI_Datatype recvtype),
                allgather(call, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype))

KAON_COLLECTIVE(MPI_Allgatherv, MPI_Iallgatherv,
                (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, const Count recvcounts[],
                 const Displacement displs[], MPI_Datatype recvtype),
                allgatherv(call, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype))

KAON_COLLECTIVE(MPI_Alltoall, MPI_Ialltoall,
                (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, Count recvcount,
                 MPI_Datatype recvtype),
                alltoall(call, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype))

KAON_COLLECTIVE(MPI_Alltoallv, MPI_Ialltoallv,
                (const void* sendbuf, const Count sendcounts[], const Displacement sdispls[], MPI_Datatype sendtype,
                 void* recvbuf, const Count recvcounts[], const Displacement rdispls[], MPI_Datatype recvtype),
                alltoallv(call, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype))

KAON_COLLECTIVE(MPI_Alltoallw, MPI_Ialltoallw,
                (const void* sendbuf, const Count sendcounts[], const Displacement sdispls[],
                 const MPI_Datatype sendtypes[], void* recvbuf, const Count recvcounts[], const Displacement rdispls[],
                 const MPI_Datatype recvtypes[]),
                alltoallw(call, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes))
