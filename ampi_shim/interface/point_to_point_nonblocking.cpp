// SPDX-License-Identifier: Apache-2.0
// Sends and receives that go on beside the program, and persistent ones.
#include <mpi.h>

#include "kaon/ampi_shim/interface/both_widths.hpp"
#include "kaon/ampi_shim/interface/buffered_sends.hpp"
#include "kaon/ampi_shim/interface/message_arguments.hpp"
#include "kaon/ampi_shim/messages/exchange_request.hpp"
#include "kaon/ampi_shim/messages/waits.hpp"

using namespace kaon::ampi;

namespace {

enum class Form : bool { once, persistent };

int begin_sending(const char* function, SendMode mode, Form form, const void* buffer, MPI_Count count,
                  MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  return mpi_call(function, comm, [&] {
    const Caller caller(comm);
    require_place(request, "request");
    const Outgoing data = to == MPI_PROC_NULL ? Outgoing() : outgoing(buffer, count, type);
    const bool is_persistent = form == Form::persistent;
    if (goes_nowhere(to, tag)) return give_request(*new CompleteRequest(empty_status(), is_persistent), comm, request);
    const SendTo where = destination(caller, to, tag);
    if (mode == SendMode::buffered) require_buffer(caller, data);
    give_request(is_persistent ? make_send(caller.rank, where, data, mode) : start_send(caller.rank, where, data, mode),
                 comm, request);
  });
}

int begin_receiving(const char* function, Form form, void* buffer, MPI_Count count, MPI_Datatype type, int from,
                    int tag, MPI_Comm comm, MPI_Request* request) {
  return mpi_call(function, comm, [&] {
    const Caller caller(comm);
    require_place(request, "request");
    const Incoming memory = from == MPI_PROC_NULL ? Incoming() : incoming(buffer, count, type);
    const MatchKey wanted = origin(caller, from, tag);
    const bool is_persistent = form == Form::persistent;
    if (from == MPI_PROC_NULL)
      return give_request(*new CompleteRequest(null_process_status(), is_persistent), comm, request);
    give_request(is_persistent ? make_receive(caller.rank, wanted, memory) : start_receive(caller.rank, wanted, memory),
                 comm, request);
  });
}

std::optional<SendTo> destination_if_any(const Caller& caller, int to, int tag) {
  if (goes_nowhere(to, tag)) return std::nullopt;
  return destination(caller, to, tag);
}
std::optional<MatchKey> origin_if_any(const Caller& caller, int from, int tag) {
  const MatchKey key = origin(caller, from, tag);
  if (from == MPI_PROC_NULL) return std::nullopt;
  return key;
}

}  // namespace

/// A send of some mode that gives a request.
#define KAON_BEGUN_SEND(name, mode, form)                                                                            \
  KAON_BOTH_WIDTHS(                                                                                                  \
      name,                                                                                                          \
      (const void* buf, Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request), \
      return begin_sending(function, mode, form, buf, count, datatype, dest, tag, comm, request))

KAON_BEGUN_SEND(MPI_Isend, SendMode::standard, Form::once)
KAON_BEGUN_SEND(MPI_Issend, SendMode::synchronous, Form::once)
KAON_BEGUN_SEND(MPI_Irsend, SendMode::ready, Form::once)
KAON_BEGUN_SEND(MPI_Ibsend, SendMode::buffered, Form::once)
KAON_BOTH_WIDTHS(MPI_Irecv,
                 (void* buf, Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                  MPI_Request* request),
                 return begin_receiving(function, Form::once, buf, count, datatype, source, tag, comm, request))

// --- persistent

KAON_BEGUN_SEND(MPI_Send_init, SendMode::standard, Form::persistent)
KAON_BEGUN_SEND(MPI_Ssend_init, SendMode::synchronous, Form::persistent)
KAON_BEGUN_SEND(MPI_Rsend_init, SendMode::ready, Form::persistent)
KAON_BEGUN_SEND(MPI_Bsend_init, SendMode::buffered, Form::persistent)
KAON_BOTH_WIDTHS(MPI_Recv_init,
                 (void* buf, Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                  MPI_Request* request),
                 return begin_receiving(function, Form::persistent, buf, count, datatype, source, tag, comm, request))

// --- both at once

int MPI_Isendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Request* request) {
  return MPI_Isendrecv_c(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag,
                         comm, request);
}
int MPI_Isendrecv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                    void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                    MPI_Request* request) {
  return mpi_call("MPI_Isendrecv", comm, [&] {
    const Caller caller(comm);
    require_place(request, "request");
    auto& made = *new ExchangeRequest(caller.rank, destination_if_any(caller, dest, sendtag),
                                      outgoing(sendbuf, sendcount, sendtype), origin_if_any(caller, source, recvtag),
                                      incoming(recvbuf, recvcount, recvtype));
    made.start();
    let_leave(caller.rank);
    give_request(made, comm, request);
  });
}
int MPI_Isendrecv_replace(void* buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag,
                          MPI_Comm comm, MPI_Request* request) {
  return MPI_Isendrecv_replace_c(buf, count, datatype, dest, sendtag, source, recvtag, comm, request);
}
int MPI_Isendrecv_replace_c(void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source,
                            int recvtag, MPI_Comm comm, MPI_Request* request) {
  return mpi_call("MPI_Isendrecv_replace", comm, [&] {
    const Caller caller(comm);
    require_place(request, "request");
    auto& made =
        *new ExchangeRequest(caller.rank, destination_if_any(caller, dest, sendtag), outgoing(buf, count, datatype),
                             origin_if_any(caller, source, recvtag), incoming(buf, count, datatype));
    made.keep_copy();
    made.start();
    let_leave(caller.rank);
    give_request(made, comm, request);
  });
}
