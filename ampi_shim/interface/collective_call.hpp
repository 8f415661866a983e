// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <memory>
#include <vector>

#include "kaon/ampi_shim/collectives/creation.hpp"
#include "kaon/ampi_shim/interface/both_widths.hpp"
#include "kaon/ampi_shim/interface/communicator_arguments.hpp"
#include "kaon/ampi_shim/messages/waits.hpp"

namespace kaon::ampi {

/// The same collective is called in three ways.
enum class Form : std::uint8_t { blocking, nonblocking, persistent };

/// The arguments that all functions of collectives have in common.
struct Call {
  const char* function;
  MPI_Comm comm;
  Form form = Form::blocking;
  MPI_Request* request = nullptr;  // where a handle is put, if not blocking
  MPI_Info info = MPI_INFO_NULL;   // hints, of which none are known
};

class DirectExchange;
/// Throws MpiFault for what went wrong with its messages.
void require_exchanged(const DirectExchange& direct);

/// It is the program's from here on.
void begin(std::unique_ptr<Collective> collective, const Call& call);

/// Runs or begins a collective: `plan(collective)` checks the arguments and writes the schedule down.
/// `shortcut(rank, communicator)` may do one that blocks in another way: true when it has.
template <class Plan, class Shortcut>
int collective_call(const Call& call, Plan&& plan, Shortcut&& shortcut) {
  return communicator_call(call.function, call.comm, [&](Rank& rank, Communicator& communicator) {
    if (call.form == Form::blocking) {
      if (shortcut(rank, communicator)) return let_leave(rank);
      Collective collective(call.function, rank, communicator, Collective::Lifetime::once);
      plan(collective);
      collective.queue_up();
      run(collective);
      return let_leave(rank);
    }
    require_place(call.request, "request");
    const bool is_persistent = call.form == Form::persistent;
    const auto lifetime = is_persistent ? Collective::Lifetime::persistent : Collective::Lifetime::once;
    auto collective = std::make_unique<Collective>(call.function, rank, communicator, lifetime);
    plan(*collective);
    collective->queue_up();
    begin(std::move(collective), call);
    let_leave(rank);
  });
}

template <class Plan>
int collective_call(const Call& call, Plan&& plan) {
  return collective_call(call, plan, [](Rank&, Communicator&) { return false; });
}

// --- Arguments. What is wrong with them is thrown as MpiFault; types and operations are kept as long as the
// collective.

const Datatype& type_argument(Collective& collective, MPI_Datatype type);
Piece piece_argument(Collective& collective, const void* buffer, MPI_Count count, MPI_Datatype type);
/// A buffer of as many blocks.
Blocks blocks_argument(Collective& collective, const void* buffer, MPI_Count count, MPI_Datatype type);

using Counts = Numbers<MPI_Count>;
using Displacements = Numbers<MPI_Aint>;

struct BlockSizes {
  Counts counts;
  Displacements displacements;
};
Blocks blocks_argument(Collective& collective, const void* buffer, const BlockSizes& sizes, MPI_Datatype type,
                       int blocks);
/// Each block has a type of its own: `types` is filled, and must stay while the blocks are looked at.
Blocks blocks_argument(Collective& collective, const void* buffer, const BlockSizes& sizes, const MPI_Datatype* handles,
                       int blocks, std::vector<const Datatype*>& types);

/// A rank, or for intercommunicators also MPI_ROOT or MPI_PROC_NULL.
void check_root(const Communicator& communicator, int root);
inline void check_root(const Collective& collective, int root) { check_root(collective.communicator(), root); }
/// True if this rank is the root.
bool is_root(const Communicator& communicator, int root);
inline bool is_root(const Collective& collective, int root) { return is_root(collective.communicator(), root); }

/// One that blocks keeps nothing.
Reduction reduction_argument(const Communicator& communicator, const void* from, void* to, MPI_Count count,
                             MPI_Datatype type, MPI_Op operation);
/// Its type and operation are kept as long as the collective.
const Reduction& kept(Collective& collective, const Reduction& reduction);
Reduction reduction_argument(Collective& collective, const void* from, void* to, MPI_Count count, MPI_Datatype type,
                             MPI_Op operation);

/// Where this rank gets `count` elements of what comes out.
void check_result(const void* to, MPI_Count count, const Reduction& reduction);

/// The memory of two arguments must differ; neither is MPI_IN_PLACE where that is not allowed.
void check_not_aliased(const void* from, const void* to, MPI_Count count);
/// A rank's own block must not begin where it is copied to. MPI_IN_PLACE is well.
void check_not_aliased(const Piece& from, const Piece& to);
/// `at` is MPI_IN_PLACE where it may be: in communicators that are no intercommunicators.
bool is_in_place(const Communicator& communicator, const void* at);
inline bool is_in_place(const Collective& collective, const void* at) {
  return is_in_place(collective.communicator(), at);
}

}  // namespace kaon::ampi

#define KAON_LIST(...) __VA_ARGS__
/// The functions of a collective: blocking, non-blocking and persistent, each in both widths. `parameters` are those
/// that all have. The last argument runs the collective, for `call`.
#define KAON_COLLECTIVE(name, nonblocking_name, parameters, ...)                                                     \
  KAON_BOTH_WIDTHS(name, (KAON_LIST parameters, MPI_Comm comm), const Call call{function, comm}; return __VA_ARGS__) \
  KAON_BOTH_WIDTHS(nonblocking_name, (KAON_LIST parameters, MPI_Comm comm, MPI_Request * request),                   \
                   const Call call{function, comm, Form::nonblocking, request};                                      \
                   return __VA_ARGS__)                                                                               \
  KAON_BOTH_WIDTHS(name##_init, (KAON_LIST parameters, MPI_Comm comm, MPI_Info info, MPI_Request * request),         \
                   const Call call{function, comm, Form::persistent, request, info};                                 \
                   return __VA_ARGS__)
