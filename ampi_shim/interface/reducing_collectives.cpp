// SPDX-License-Identifier: Apache-2.0
// Reductions and scans.
#include "kaon/ampi_shim/collectives/direct_exchange.hpp"
#include "kaon/ampi_shim/collectives/meeting_reductions.hpp"
#include "kaon/ampi_shim/interface/collective_call.hpp"
#include "kaon/ampi_shim/interface/host_copies.hpp"
#include "kaon/ampi_shim/interface/meeting_call.hpp"

namespace kaon::ampi {

namespace {

/// nullptr: it does not go by places.
const Places* places_for(Collective& collective, const Reduction& reduction) {
  if (!reduction.operation->is_commutative() || !is_small(reduction.result)) return nullptr;
  return places_of(collective.rank(), collective.communicator());
}

/// The part of a reduction's result that a rank gets, and who gets one.
struct Part {
  Piece mine;
  int root = ReductionShare::kAll;
  MPI_Count first = 0;
};

/// True: it was reduced where the ranks of the PE meet.
bool reduced_at_meeting(const Call& call, Rank& rank, Communicator& communicator, Reduction reduction, Part part) {
  Meeting* const meeting = Meeting::of(rank, communicator);
  if (meeting == nullptr || !ReductionShare::takes(reduction, *communicator.places)) return false;
  const bool in_place = reduction.from == MPI_IN_PLACE;
  const Piece& form = reduction.result;
  const HostCopy value(rank, in_place ? form.at : reduction.from, form.count, *form.type);
  HostCopy mine(rank, part.mine.at, part.mine.count, *form.type);
  reduction.from = value.data();
  ReductionShare share(reduction, {mine.data(), part.mine.count, form.type}, part.root, part.first);
  meeting->attend({call.function, rank, communicator}, share);
  mine.copy_back();
  return true;
}

/// True: it was small, and each rank has exchanged it. On the stack, as thread-local variables are there only while the
/// rank runs.
bool reduced_directly(const Call& call, Rank& rank, Communicator& communicator, const Reduction& reduction) {
  if (!DirectExchange::takes(reduction)) return false;
  const Piece& result = reduction.result;
  alignas(16) std::byte memory[DirectExchange::kMostBytes];
  const Piece value{memory, result.count, result.type};
  copy({const_cast<void*>(reduction.from == MPI_IN_PLACE ? result.at : reduction.from), result.count, result.type},
       value);
  DirectExchange direct(call.function, rank, communicator, communicator.next_collective_tag());
  direct.allreduce(team_of(communicator), *reduction.operation, value);
  require_exchanged(direct);
  copy(value, result);
  return true;
}

int reduce(const Call& call, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
           int root) {
  const auto argument = [&](Communicator& communicator, bool is_here) {
    if (is_here && !communicator.is_inter()) check_not_aliased(sendbuf, recvbuf, count);
    require(is_here || sendbuf != MPI_IN_PLACE, MPI_ERR_BUFFER, "MPI_IN_PLACE is for the root only");
    // The root of an intercommunicator gives nothing.
    const void* const from = communicator.is_inter() && is_here ? recvbuf : sendbuf;
    const Reduction reduction = reduction_argument(communicator, from, recvbuf, count, datatype, op);
    if (is_here) check_result(recvbuf, count, reduction);
    return reduction;
  };
  const auto plan = [&](Collective& collective) {
    Communicator& communicator = collective.communicator();
    check_root(communicator, root);
    if (root == MPI_PROC_NULL) return;
    const bool is_here = is_root(communicator, root);
    HostReduction host(collective, kept(collective, argument(communicator, is_here)), is_here ? count : 0);
    const Reduction& reduction = host.reduction();
    if (communicator.is_inter()) {
      plan_inter_reduce(collective.schedule(), sides_of(communicator), reduction, root);
    } else if (const Places* const places = places_for(collective, reduction)) {
      plan_reduce(collective.schedule(), *places, reduction, root);
    } else {
      plan_reduce(collective.schedule(), team_of(communicator), reduction, root);
    }
    host.copy_back();
  };
  return collective_call(call, plan, [&](Rank& rank, Communicator& communicator) {
    if (Meeting::of(rank, communicator) == nullptr) return false;
    check_root(communicator, root);
    const bool is_here = is_root(communicator, root);
    const Reduction reduction = argument(communicator, is_here);
    const Piece mine{recvbuf, is_here ? count : 0, reduction.result.type};
    return reduced_at_meeting(call, rank, communicator, reduction, {mine, root});
  });
}

int allreduce(const Call& call, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op) {
  const auto plan = [&](Collective& collective) {
    const Communicator& communicator = collective.communicator();
    check_not_aliased(sendbuf, recvbuf, count);
    HostReduction host(collective, reduction_argument(collective, sendbuf, recvbuf, count, datatype, op), count);
    const Reduction& reduction = host.reduction();
    check_result(recvbuf, count, reduction);
    if (communicator.is_inter()) {
      plan_inter_allreduce(collective.schedule(), sides_of(communicator), reduction);
    } else if (const Places* const places = places_for(collective, reduction)) {
      plan_allreduce(collective.schedule(), *places, reduction);
    } else {
      plan_allreduce(collective.schedule(), team_of(communicator), reduction);
    }
    host.copy_back();
  };
  return collective_call(call, plan, [&](Rank& rank, Communicator& communicator) {
    const bool meets = Meeting::of(rank, communicator) != nullptr;
    if (!meets && (communicator.is_inter() || rank.scheduler().has_accelerator())) return false;
    check_not_aliased(sendbuf, recvbuf, count);
    const Reduction reduction = reduction_argument(communicator, sendbuf, recvbuf, count, datatype, op);
    check_result(recvbuf, count, reduction);
    return meets ? reduced_at_meeting(call, rank, communicator, reduction, {reduction.result})
                 : reduced_directly(call, rank, communicator, reduction);
  });
}

MPI_Count sum(Counts counts, int size) {
  MPI_Count total = 0;
  for (int rank = 0; rank < size; ++rank) {
    require(counts[rank] >= 0, MPI_ERR_COUNT, "the count of rank {} is {}", rank, counts[rank]);
    total += counts[rank];
  }
  return total;
}

bool reduced_and_scattered_at_meeting(const Call& call, Rank& rank, Communicator& communicator, const void* sendbuf,
                                      void* recvbuf, Counts counts, MPI_Datatype datatype, MPI_Op op) {
  if (Meeting::of(rank, communicator) == nullptr) return false;
  const MPI_Count total = sum(counts, communicator.size());
  check_not_aliased(sendbuf, recvbuf, total);
  const MPI_Count count = counts[communicator.rank()];
  const Reduction reduction = reduction_argument(communicator, sendbuf, recvbuf, total, datatype, op);
  check_result(recvbuf, count, reduction);
  const MPI_Count first = sum(counts, communicator.rank());
  return reduced_at_meeting(call, rank, communicator, reduction,
                            {{recvbuf, count, reduction.result.type}, ReductionShare::kAll, first});
}

void plan_reduce_scatter_of(Collective& collective, const void* sendbuf, void* recvbuf, Counts counts,
                            MPI_Datatype datatype, MPI_Op op) {
  const Communicator& communicator = collective.communicator();
  const MPI_Count total = sum(counts, communicator.size());
  check_not_aliased(sendbuf, recvbuf, total);
  HostReduction host(collective, reduction_argument(collective, sendbuf, recvbuf, total, datatype, op),
                     counts[communicator.rank()]);
  const Reduction& reduction = host.reduction();
  check_result(recvbuf, counts[communicator.rank()], reduction);
  if (communicator.is_inter()) {
    plan_inter_reduce_scatter(collective.schedule(), sides_of(communicator), reduction, counts);
  } else {
    plan_reduce_scatter(collective.schedule(), team_of(communicator), reduction, counts, reduction.result.at);
  }
  host.copy_back();
}

int reduce_scatter(const Call& call, const void* sendbuf, void* recvbuf, Counts recvcounts, MPI_Datatype datatype,
                   MPI_Op op) {
  const auto check = [&] {
    require(static_cast<bool>(recvcounts), MPI_ERR_ARG, "the list of counts is a null pointer");
  };
  const auto plan = [&](Collective& collective) {
    check();
    plan_reduce_scatter_of(collective, sendbuf, recvbuf, recvcounts, datatype, op);
  };
  return collective_call(call, plan, [&](Rank& rank, Communicator& communicator) {
    check();
    return reduced_and_scattered_at_meeting(call, rank, communicator, sendbuf, recvbuf, recvcounts, datatype, op);
  });
}

int reduce_scatter_block(const Call& call, const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                         MPI_Datatype datatype, MPI_Op op) {
  const auto counts_of = [&](const Communicator& communicator) {
    return std::vector<MPI_Count>(static_cast<std::size_t>(communicator.size()), recvcount);
  };
  const auto plan = [&](Collective& collective) {
    plan_reduce_scatter_of(collective, sendbuf, recvbuf, counts_of(collective.communicator()).data(), datatype, op);
  };
  return collective_call(call, plan, [&](Rank& rank, Communicator& communicator) {
    return reduced_and_scattered_at_meeting(call, rank, communicator, sendbuf, recvbuf, counts_of(communicator).data(),
                                            datatype, op);
  });
}

/// From `first` on ranks get a result.
int scan_of(const Call& call, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
            int first, void (*plan)(Schedule&, const Team&, const Reduction&)) {
  return collective_call(call, [&](Collective& collective) {
    require_intra(collective.communicator());
    check_not_aliased(sendbuf, recvbuf, count);
    const bool has_result = collective.communicator().rank() >= first;
    HostReduction host(collective, reduction_argument(collective, sendbuf, recvbuf, count, datatype, op),
                       has_result ? count : 0);
    if (has_result) check_result(recvbuf, count, host.reduction());
    plan(collective.schedule(), team_of(collective.communicator()), host.reduction());
    host.copy_back();
  });
}

int scan(const Call& call, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op) {
  return scan_of(call, sendbuf, recvbuf, count, datatype, op, 0, &plan_scan);
}

int exscan(const Call& call, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op) {
  return scan_of(call, sendbuf, recvbuf, count, datatype, op, 1, &plan_exscan);
}

}  // namespace

}  // namespace kaon::ampi

KAON_COLLECTIVE(MPI_Allreduce, MPI_Iallreduce,
                (const void* sendbuf, void* recvbuf, Count count, MPI_Datatype datatype, MPI_Op op),
                allreduce(call, sendbuf, recvbuf, count, datatype, op))

KAON_COLLECTIVE(MPI_Exscan, MPI_Iexscan,
                (const void* sendbuf, void* recvbuf, Count count, MPI_Datatype datatype, MPI_Op op),
                exscan(call, sendbuf, recvbuf, count, datatype, op))

KAON_COLLECTIVE(MPI_Reduce, MPI_Ireduce,
                (const void* sendbuf, void* recvbuf, Count count, MPI_Datatype datatype, MPI_Op op, int root),
                reduce(call, sendbuf, recvbuf, count, datatype, op, root))

KAON_COLLECTIVE(MPI_Reduce_scatter, MPI_Ireduce_scatter,
                (const void* sendbuf, void* recvbuf, const Count recvcounts[], MPI_Datatype datatype, MPI_Op op),
                reduce_scatter(call, sendbuf, recvbuf, recvcounts, datatype, op))

KAON_COLLECTIVE(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block,
                (const void* sendbuf, void* recvbuf, Count recvcount, MPI_Datatype datatype, MPI_Op op),
                reduce_scatter_block(call, sendbuf, recvbuf, recvcount, datatype, op))

KAON_COLLECTIVE(MPI_Scan, MPI_Iscan,
                (const void* sendbuf, void* recvbuf, Count count, MPI_Datatype datatype, MPI_Op op),
                scan(call, sendbuf, recvbuf, count, datatype, op))
