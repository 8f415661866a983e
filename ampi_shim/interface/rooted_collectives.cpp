// SPDX-License-Identifier: Apache-2.0
// Barrier, and collectives with a root.
#include "kaon/ampi_shim/collectives/direct_exchange.hpp"
#include "kaon/ampi_shim/collectives/meeting_broadcasts.hpp"
#include "kaon/ampi_shim/collectives/meeting_exchanges.hpp"
#include "kaon/ampi_shim/interface/collective_call.hpp"
#include "kaon/ampi_shim/interface/host_copies.hpp"
#include "kaon/ampi_shim/interface/meeting_call.hpp"

namespace kaon::ampi {

namespace {

int barrier(const Call& call) {
  const auto plan = [&](Collective& collective) {
    Communicator& communicator = collective.communicator();
    if (communicator.is_inter()) return plan_inter_barrier(collective.schedule(), sides_of(communicator));
    if (const Places* const places = places_of(collective.rank(), communicator)) {
      plan_barrier(collective.schedule(), *places);
    } else {
      plan_barrier(collective.schedule(), team_of(communicator));
    }
  };
  return collective_call(call, plan, [&](Rank& rank, Communicator& communicator) {
    if (communicator.is_inter()) return false;
    if (Meeting* const meeting = Meeting::of(rank, communicator)) {
      meeting->barrier({call.function, rank, communicator});
    } else {
      DirectExchange direct(call.function, rank, communicator, communicator.next_collective_tag());
      direct.barrier(team_of(communicator));
      require_exchanged(direct);
    }
    return true;
  });
}

int bcast(const Call& call, void* buffer, MPI_Count count, MPI_Datatype datatype, int root) {
  const auto plan = [&](Collective& collective) {
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
  };
  return collective_call(call, plan, [&](Rank& rank, Communicator& communicator) {
    if (Meeting::of(rank, communicator) == nullptr) return false;
    check_root(communicator, root);
    Collective arguments(call.function, rank, communicator, Collective::Lifetime::once);
    const Piece data = piece_argument(arguments, buffer, count, datatype);
    Meeting* const meeting = meeting_for(call, rank, communicator, has_device_memory(rank, data));
    if (meeting == nullptr) return false;
    HostCopy copy(rank, data.at, data.count, *data.type);
    BroadcastShare share({copy.data(), data.count, data.type}, root);
    meeting->attend({call.function, rank, communicator}, share);
    if (communicator.rank() != root) copy.copy_back();
    return true;
  });
}

/// What a rank has in a gather or a scatter: `all` the blocks at the root, `mine` its own.
struct Shares {
  Blocks all;
  Piece mine;
};

/// `own` is the buffer that may be MPI_IN_PLACE at the root. `mine` and `all` look at the arguments for those who have
/// such a share.
template <class Mine, class All>
Shares shares_of(Collective& collective, const void* own, int root, Mine mine, All all) {
  const bool is_here = is_root(collective, root);
  Shares shares;
  if (is_here) shares.all = all();
  if (is_here && collective.communicator().is_inter()) return shares;
  shares.mine = is_here && is_in_place(collective, own) ? Piece{MPI_IN_PLACE, 0, nullptr} : mine();
  if (is_here) check_not_aliased(shares.mine, shares.all[root]);
  return shares;
}

void plan_gather_of(Collective& collective, const Shares& shares, int root) {
  const Communicator& communicator = collective.communicator();
  if (communicator.is_inter())
    plan_inter_gather(collective.schedule(), sides_of(communicator), shares.mine, shares.all, root);
  else
    plan_gather(collective.schedule(), team_of(communicator), shares.mine, shares.all, root);
}

void plan_scatter_of(Collective& collective, const Shares& shares, int root) {
  const Communicator& communicator = collective.communicator();
  if (communicator.is_inter())
    plan_inter_scatter(collective.schedule(), sides_of(communicator), shares.all, shares.mine, root);
  else
    plan_scatter(collective.schedule(), team_of(communicator), shares.all, shares.mine, root);
}

bool done_at_meeting(const Call& call, Collective& arguments, Share::Kind kind, const Shares& shares, int root) {
  Rank& rank = arguments.rank();
  Communicator& communicator = arguments.communicator();
  const int blocks = is_root(communicator, root) ? communicator.size() : 0;
  const bool in_place = shares.mine.at == MPI_IN_PLACE;
  const Piece own = in_place ? bytes_at(nullptr, 0) : shares.mine;
  const bool is_on_device = has_device_memory(rank, own) || has_device_memory(rank, shares.all, blocks);
  Meeting* const meeting = meeting_for(call, rank, communicator, is_on_device);
  if (meeting == nullptr) return false;
  const ReachableBlocks mine(rank, Blocks(own.at, own.count, *own.type), 1), all(rank, shares.all, blocks);
  ExchangeShare share(kind, mine.blocks()[0], all.blocks(), root, in_place);
  meeting->attend({call.function, rank, communicator}, share);
  if (kind == Share::Kind::gather) all.copy_back();
  if (kind == Share::Kind::scatter) mine.copy_back();
  return true;
}

/// A gather or a scatter: `own`, `mine` and `all` as above.
template <class Mine, class All>
int gather_or_scatter(const Call& call, Share::Kind kind, const void* own, int root, Mine mine, All all) {
  const auto plan = [&](Collective& collective) {
    check_root(collective, root);
    if (root == MPI_PROC_NULL) return;
    const Shares shares = shares_of(
        collective, own, root, [&] { return mine(collective); }, [&] { return all(collective); });
    (kind == Share::Kind::gather ? plan_gather_of : plan_scatter_of)(collective, shares, root);
  };
  return collective_call(call, plan, [&](Rank& rank, Communicator& communicator) {
    if (Meeting::of(rank, communicator) == nullptr) return false;
    Collective collective(call.function, rank, communicator, Collective::Lifetime::once);
    check_root(communicator, root);
    const Shares shares = shares_of(
        collective, own, root, [&] { return mine(collective); }, [&] { return all(collective); });
    return done_at_meeting(call, collective, kind, shares, root);
  });
}

/// What a call says of a buffer whose blocks are of one size.
struct Buffer {
  const void* at;
  MPI_Count count;
  MPI_Datatype type;
};

/// MPI_Gather and MPI_Scatter: each rank has `mine`, the root a block of `all` for each.
int share_equally(const Call& call, Share::Kind kind, const Buffer& own, const Buffer& blocks, int root) {
  const auto mine = [&](Collective& collective) { return piece_argument(collective, own.at, own.count, own.type); };
  const auto all = [&](Collective& collective) {
    check_not_aliased(own.at, blocks.at, blocks.count);
    return blocks_argument(collective, blocks.at, blocks.count, blocks.type);
  };
  return gather_or_scatter(call, kind, own.at, root, mine, all);
}

/// MPI_Gatherv and MPI_Scatterv: the blocks of the root differ.
int share_unequally(const Call& call, Share::Kind kind, const Buffer& own, const void* at, Counts counts,
                    Displacements displacements, MPI_Datatype type, int root) {
  const auto mine = [&](Collective& collective) { return piece_argument(collective, own.at, own.count, own.type); };
  const auto all = [&](Collective& collective) {
    check_not_aliased(own.at, at, own.at == MPI_IN_PLACE ? 0 : own.count);
    return blocks_argument(collective, at, {counts, displacements}, type, collective.communicator().peer_count());
  };
  return gather_or_scatter(call, kind, own.at, root, mine, all);
}

}  // namespace

}  // namespace kaon::ampi

extern "C" {

int MPI_Barrier(MPI_Comm comm) { return kaon::ampi::barrier({"MPI_Barrier", comm}); }

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::barrier({"MPI_Ibarrier", comm, kaon::ampi::Form::nonblocking, request});
}

int MPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return kaon::ampi::barrier({"MPI_Barrier_init", comm, kaon::ampi::Form::persistent, request, info});
}

}  // extern "C"

KAON_COLLECTIVE(MPI_Bcast, MPI_Ibcast, (void* buffer, Count count, MPI_Datatype datatype, int root),
                bcast(call, buffer, count, datatype, root))

KAON_COLLECTIVE(MPI_Gather, MPI_Igather,
                (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, Count recvcount,
                 MPI_Datatype recvtype, int root),
                share_equally(call, Share::Kind::gather, {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype},
                              root))

KAON_COLLECTIVE(MPI_Gatherv, MPI_Igatherv,
                (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, const Count recvcounts[],
                 const Displacement displs[], MPI_Datatype recvtype, int root),
                share_unequally(call, Share::Kind::gather, {sendbuf, sendcount, sendtype}, recvbuf, recvcounts, displs,
                                recvtype, root))

KAON_COLLECTIVE(MPI_Scatter, MPI_Iscatter,
                (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, Count recvcount,
                 MPI_Datatype recvtype, int root),
                share_equally(call, Share::Kind::scatter, {recvbuf, recvcount, recvtype},
                              {sendbuf, sendcount, sendtype}, root))

KAON_COLLECTIVE(MPI_Scatterv, MPI_Iscatterv,
                (const void* sendbuf, const Count sendcounts[], const Displacement displs[], MPI_Datatype sendtype,
                 void* recvbuf, Count recvcount, MPI_Datatype recvtype, int root),
                share_unequally(call, Share::Kind::scatter, {recvbuf, recvcount, recvtype}, sendbuf, sendcounts, displs,
                                sendtype, root))
