// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <utility>

#include "kaon/ampi_shim/communicators/communicators.hpp"
#include "kaon/ampi_shim/interface/call.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"

namespace kaon::ampi {

/// A function of a communicator: `body(rank, communicator)`. Errors go to the communicator's handler.
template <class Body>
int communicator_call(const char* function, MPI_Comm comm, Body&& body) {
  return mpi_call(function, comm, [&] {
    Rank& rank = running_rank();
    return body(rank, communicator_of(rank, comm));
  });
}

/// One that makes a communicator, or none for this rank: `make(rank, communicator)`. After an error there is none.
template <class Make>
int new_communicator(const char* function, MPI_Comm comm, MPI_Comm* made, Make&& make) {
  return communicator_call(function, comm, [&](Rank& rank, Communicator& communicator) {
    require_place(made, "newcomm");
    *made = MPI_COMM_NULL;
    CommunicatorRef reference = make(rank, communicator);
    *made = reference ? give(std::move(reference)) : MPI_COMM_NULL;
  });
}

/// Hints of no use for any implementation of communicators are ignored, and so not given back.
void set_hints(Communicator& communicator, const Info& hints);

inline void require_intra(const Communicator& communicator) {
  require(!communicator.is_inter(), MPI_ERR_COMM, "the communicator is an intercommunicator");
}
inline void require_inter(const Communicator& communicator) {
  require(communicator.is_inter(), MPI_ERR_COMM, "the communicator is not an intercommunicator");
}
inline void require_peer(const Communicator& communicator, int rank, const char* name) {
  require(rank >= 0 && rank < communicator.peer_count(), MPI_ERR_RANK, "{} is {}, and the communicator has {} ranks",
          name, rank, communicator.peer_count());
}

}  // namespace kaon::ampi
