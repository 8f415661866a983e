// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <cstdint>

#include "kaon/ampi_shim/messages/buffers.hpp"
#include "kaon/ampi_shim/messages/envelope.hpp"
#include "kaon/ampi_shim/messages/request.hpp"

namespace kaon::ampi {

class Rank;

/// Where a message goes.
struct SendTo {
  std::uint64_t context;     // see MatchKey
  std::int32_t rank_in_run;  // of who gets it
  std::int32_t source;       // the sender's rank in the communicator, as its receiver knows it
  std::int32_t tag;
};

enum class SendMode : std::uint8_t { standard, ready, synchronous, buffered };

// Blocking calls: on a strand of `rank`, which waits and lets other ranks run. They give MPI_SUCCESS or an error class.
int send(Rank& rank, const SendTo& to, const Outgoing& data, SendMode mode = SendMode::standard);
int receive(Rank& rank, const MatchKey& from, const Incoming& memory, MPI_Status* status = nullptr);
/// Both at once.
int send_receive(Rank& rank, const SendTo& to, const Outgoing& data, const MatchKey& from, const Incoming& memory,
                 MPI_Status* status = nullptr);

// Requests of the program: to be waited for, or freed.
Request& start_send(Rank& rank, const SendTo& to, const Outgoing& data, SendMode mode = SendMode::standard);
Request& start_receive(Rank& rank, const MatchKey& from, const Incoming& memory);
/// Persistent: inactive until Request::start().
Request& make_send(Rank& rank, const SendTo& to, const Outgoing& data, SendMode mode = SendMode::standard);
Request& make_receive(Rank& rank, const MatchKey& from, const Incoming& memory);

// For what goes on beside the program, such as collectives: from anywhere on the PE of `rank`, without a wait.
// nullptr: it has completed already, without an error. Else the request, which `observer` is told of, and which is to
// be deleted then or later; one that has failed already is complete, and the observer is not told.
Request* begin_send(Rank& rank, const SendTo& to, const Outgoing& data, RequestObserver& observer);
/// `status` is written when that is nullptr.
Request* begin_receive(Rank& rank, const MatchKey& from, const Incoming& memory, RequestObserver& observer,
                       MPI_Status* status = nullptr);

}  // namespace kaon::ampi
