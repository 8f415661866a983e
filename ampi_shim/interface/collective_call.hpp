// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <memory>
#include <vector>

#include "kaon/ampi_shim/collectives/creation.hpp"
#include "kaon/ampi_shim/interface/communicator_arguments.hpp"

namespace kaon::ampi {

/// The same collective is called in three ways.
enum class Form : std::uint8_t { blocking, nonblocking, persistent };

/// What all functions of collectives have in common.
struct Call {
  const char* function;
  MPI_Comm comm;
  Form form = Form::blocking;
  MPI_Request* request = nullptr;  // where a handle is put, if not blocking
  MPI_Info info = MPI_INFO_NULL;   // hints, of which none are known
};

/// It is the program's from here on.
void begin(std::unique_ptr<Collective> collective, const Call& call);

/// Runs or begins a collective: `plan(collective)` checks the arguments and writes the schedule down.
template <class Plan>
int collective_call(const Call& call, Plan&& plan) {
  return communicator_call(call.function, call.comm, [&](Rank& rank, Communicator& communicator) {
    if (call.form == Form::blocking) {
      Collective collective(call.function, rank, communicator, Collective::Lifetime::once);
      plan(collective);
      run(collective);
      return;
    }
    require_place(call.request, "request");
    const bool is_persistent = call.form == Form::persistent;
    const auto lifetime = is_persistent ? Collective::Lifetime::persistent : Collective::Lifetime::once;
    auto collective = std::make_unique<Collective>(call.function, rank, communicator, lifetime);
    plan(*collective);
    begin(std::move(collective), call);
  });
}

// --- Arguments. What is wrong with them is thrown as MpiFault; types and operations are kept as long as the
// collective.

const Datatype& type_argument(Collective& collective, MPI_Datatype type);
Piece piece_argument(Collective& collective, const void* buffer, MPI_Count count, MPI_Datatype type);
/// A buffer of as many blocks.
Blocks blocks_argument(Collective& collective, const void* buffer, MPI_Count count, MPI_Datatype type);

struct BlockSizes {
  Numbers<MPI_Count> counts;
  Numbers<MPI_Aint> displacements;
};
Blocks blocks_argument(Collective& collective, const void* buffer, const BlockSizes& sizes, MPI_Datatype type,
                       int blocks);
/// Each block has a type of its own: `types` is filled, and must stay while the blocks are looked at.
Blocks blocks_argument(Collective& collective, const void* buffer, const BlockSizes& sizes, const MPI_Datatype* handles,
                       int blocks, std::vector<const Datatype*>& types);

/// A rank, or for intercommunicators also MPI_ROOT or MPI_PROC_NULL.
void check_root(const Collective& collective, int root);
/// Whether this rank is it.
bool is_root(const Collective& collective, int root);

Reduction reduction_argument(Collective& collective, const void* from, void* to, MPI_Count count, MPI_Datatype type,
                             MPI_Op operation);

/// The memory of two arguments must differ; neither is MPI_IN_PLACE where that is not allowed.
void check_not_aliased(const void* from, const void* to, MPI_Count count);
/// `at` is MPI_IN_PLACE where it may be: in communicators that are no intercommunicators.
bool is_in_place(const Collective& collective, const void* at);

}  // namespace kaon::ampi
