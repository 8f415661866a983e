// SPDX-License-Identifier: Apache-2.0
// Probes, and receives of the messages that they have matched.
#include <mpi.h>

#include "kaon/ampi_shim/interface/both_widths.hpp"
#include "kaon/ampi_shim/interface/buffered_sends.hpp"
#include "kaon/ampi_shim/interface/handle_numbers.hpp"
#include "kaon/ampi_shim/interface/message_arguments.hpp"
#include "kaon/ampi_shim/messages/probes.hpp"
#include "kaon/ampi_shim/messages/receive_request.hpp"
#include "kaon/ampi_shim/messages/waits.hpp"

using namespace kaon::ampi;

namespace {

MPI_Status status_of(const Arrived& message) {
  MPI_Status status = empty_status();
  fill_status(message.envelope(), status);
  return status;
}

/// The message there is, or nullptr; others run then.
Arrived* look_for(const Caller& caller, const MatchKey& wanted) {
  if (Arrived* const message = probe_now(caller.rank, wanted)) return message;
  give_way(caller.rank);
  return probe_now(caller.rank, wanted);
}

void take(const Caller& caller, Arrived& found, MPI_Message* message, MPI_Status* status) {
  give_status(status_of(found), status);
  take_matched(caller.rank, found);
  *message = reinterpret_cast<MPI_Message>(found.give_handle());
}

void take_nothing(MPI_Message* message, MPI_Status* status) {
  *message = MPI_MESSAGE_NO_PROC;
  give_status(null_process_status(), status);
}

/// The message of a handle, which is the caller's from now on; nullptr: it is MPI_MESSAGE_NO_PROC.
Arrived* message_of(MPI_Message* handle) {
  require_place(handle, "message");
  if (*handle == MPI_MESSAGE_NO_PROC) {
    *handle = MPI_MESSAGE_NULL;
    return nullptr;
  }
  Arrived* const message =
      reinterpret_cast<std::uintptr_t>(*handle) >= kFirstAddress ? Arrived::alive_at(*handle) : nullptr;
  require(message != nullptr, MPI_ERR_REQUEST, "that is no message, or it has been received");
  *handle = MPI_MESSAGE_NULL;
  return message;
}

int receive_message(const char* function, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Message* handle,
                    MPI_Status* status) {
  return mpi_call(function, [&] {
    Rank& rank = running_rank();
    const Incoming memory = incoming(buffer, count, type);
    Arrived* const message = message_of(handle);
    if (message == nullptr) return give_status(null_process_status(), status);
    ReceiveRequest request(rank, message->envelope().key, memory);
    request.start_with(*message);
    wait_for(rank, request);
    if (request.has_answered()) let_leave(rank);
    give_status(request.status(), status);
    require_received(request.error(), request.status());
  });
}

int begin_receiving_message(const char* function, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Message* handle,
                            MPI_Request* request) {
  return mpi_call(function, [&] {
    Rank& rank = running_rank();
    require_place(request, "request");
    const Incoming memory = incoming(buffer, count, type);
    Arrived* const message = message_of(handle);
    if (message == nullptr) return give_request(*new CompleteRequest(null_process_status()), MPI_COMM_NULL, request);
    auto& made = *new ReceiveRequest(rank, message->envelope().key, memory);
    made.start_with(*message);
    if (made.has_answered()) let_leave(rank);
    give_request(made, MPI_COMM_NULL, request);
  });
}

}  // namespace

int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  return mpi_call("MPI_Probe", comm, [&] {
    const Caller caller(comm);
    const MatchKey wanted = origin(caller, source, tag);
    if (source == MPI_PROC_NULL) return give_status(null_process_status(), status);
    give_status(status_of(probe(caller.rank, wanted)), status);
  });
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  return mpi_call("MPI_Iprobe", comm, [&] {
    const Caller caller(comm);
    require_place(flag, "flag");
    const MatchKey wanted = origin(caller, source, tag);
    *flag = 1;
    if (source == MPI_PROC_NULL) return give_status(null_process_status(), status);
    const Arrived* const message = look_for(caller, wanted);
    *flag = message != nullptr ? 1 : 0;
    if (message != nullptr) give_status(status_of(*message), status);
  });
}

int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  return mpi_call("MPI_Mprobe", comm, [&] {
    const Caller caller(comm);
    require_place(message, "message");
    const MatchKey wanted = origin(caller, source, tag);
    if (source == MPI_PROC_NULL) return take_nothing(message, status);
    take(caller, probe(caller.rank, wanted), message, status);
  });
}

int MPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
  return mpi_call("MPI_Improbe", comm, [&] {
    const Caller caller(comm);
    require_place(flag, "flag");
    require_place(message, "message");
    const MatchKey wanted = origin(caller, source, tag);
    *flag = 1;
    if (source == MPI_PROC_NULL) return take_nothing(message, status);
    Arrived* const found = look_for(caller, wanted);
    *flag = found != nullptr ? 1 : 0;
    *message = MPI_MESSAGE_NULL;
    if (found != nullptr) take(caller, *found, message, status);
  });
}

KAON_BOTH_WIDTHS(MPI_Mrecv, (void* buf, Count count, MPI_Datatype datatype, MPI_Message* message, MPI_Status* status),
                 return receive_message(function, buf, count, datatype, message, status))
KAON_BOTH_WIDTHS(MPI_Imrecv,
                 (void* buf, Count count, MPI_Datatype datatype, MPI_Message* message, MPI_Request* request),
                 return begin_receiving_message(function, buf, count, datatype, message, request))
