// SPDX-License-Identifier: Apache-2.0
#pragma once
// For programs of MPI that make a kaon::Session: it needs no launcher that speaks PMIx then.
#include <mpi.h>

#include <cstddef>
#include <memory>

#include "kaon/runtime/ports/peers.hpp"

namespace kaon {

/// The processes of a communicator, which stays as long as the session: `Session session(peers_of(MPI_COMM_WORLD))`.
/// MPI is called by the thread that calls the session, between MPI_Init and MPI_Finalize.
inline runtime::Peers peers_of(MPI_Comm communicator) {
  runtime::Peers peers;
  MPI_Comm_rank(communicator, &peers.process);
  MPI_Comm_size(communicator, &peers.processes);
  peers.gather = [communicator](const void* own, void* all, std::size_t bytes) {
    const int count = static_cast<int>(bytes);
    MPI_Allgather(own, count, MPI_BYTE, all, count, MPI_BYTE, communicator);
  };
  const auto barrier = std::make_shared<MPI_Request>(MPI_REQUEST_NULL);  // one of all copies
  peers.enter_barrier = [communicator, barrier] { MPI_Ibarrier(communicator, barrier.get()); };
  peers.is_barrier_over = [barrier] {
    int is_over = 0;
    MPI_Test(barrier.get(), &is_over, MPI_STATUS_IGNORE);
    return is_over != 0;
  };
  peers.abort = [communicator](int code) { MPI_Abort(communicator, code); };
  return peers;
}

}  // namespace kaon
