// SPDX-License-Identifier: Apache-2.0
// Blocking sends and receives.
#include <mpi.h>

#include <vector>

#include "kaon/ampi_shim/devices/device_copy.hpp"
#include "kaon/ampi_shim/interface/both_widths.hpp"
#include "kaon/ampi_shim/interface/buffered_sends.hpp"
#include "kaon/ampi_shim/interface/message_arguments.hpp"

using namespace kaon::ampi;

namespace {

// Inline, as these two are what programs wait for most: see Fibre::go_over_to.
[[gnu::always_inline]] inline int send_blocking(const char* function, SendMode mode, const void* buffer,
                                                MPI_Count count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  return mpi_call(
      function, comm, [&]() __attribute__((always_inline)) {
        const Caller caller(comm);
        if (goes_nowhere(to, tag)) return;
        const Outgoing data = outgoing(buffer, count, type);
        const SendTo where = destination(caller, to, tag);
        if (mode == SendMode::buffered) require_buffer(caller, data);
        send(caller.rank, where, data, mode);
      });
}

/// Throws MpiFault for what went wrong with the message.
void receive_into(const Caller& caller, const MatchKey& from, const Incoming& memory, MPI_Status* status) {
  MPI_Status result = null_process_status();
  int error = MPI_SUCCESS;
  if (from.source != MPI_PROC_NULL) error = receive(caller.rank, from, memory, &result);
  give_status(result, status);
  require_received(error, result);
}

[[gnu::always_inline]] inline int receive_blocking(const char* function, void* buffer, MPI_Count count,
                                                   MPI_Datatype type, int from, int tag, MPI_Comm comm,
                                                   MPI_Status* status) {
  return mpi_call(
      function, comm, [&]() __attribute__((always_inline)) {
        const Caller caller(comm);
        const MatchKey wanted = origin(caller, from, tag);
        receive_into(caller, wanted, from == MPI_PROC_NULL ? Incoming() : incoming(buffer, count, type), status);
      });
}

void send_and_receive(const Caller& caller, const Outgoing& data, int to, int send_tag, const Incoming& memory,
                      const MatchKey& from, MPI_Status* status) {
  if (goes_nowhere(to, send_tag)) return receive_into(caller, from, memory, status);
  const SendTo where = destination(caller, to, send_tag);
  MPI_Status result = null_process_status();
  int error = MPI_SUCCESS;
  if (from.source == MPI_PROC_NULL)
    send(caller.rank, where, data);
  else
    error = send_receive(caller.rank, where, data, from, memory, &result);
  give_status(result, status);
  require_received(error, result);
}

int exchange_in_place(const char* function, void* buffer, MPI_Count count, MPI_Datatype type, int to, int send_tag,
                      int from, int receive_tag, MPI_Comm comm, MPI_Status* status) {
  return mpi_call(function, comm, [&] {
    const Caller caller(comm);
    const Outgoing data = outgoing(buffer, count, type);
    std::vector<std::byte> copy(data.bytes());
    const auto bytes = static_cast<MPI_Count>(copy.size());
    if (!copied_by_device(caller.rank, {copy.data(), bytes}, {buffer, count, data.type})) data.pack(copy.data());
    send_and_receive(caller, {copy.data(), bytes, nullptr}, to, send_tag, incoming(buffer, count, type),
                     origin(caller, from, receive_tag), status);
  });
}

}  // namespace

KAON_BOTH_WIDTHS(MPI_Send, (const void* buf, Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
                 return send_blocking(function, SendMode::standard, buf, count, datatype, dest, tag, comm))
KAON_BOTH_WIDTHS(MPI_Ssend, (const void* buf, Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
                 return send_blocking(function, SendMode::synchronous, buf, count, datatype, dest, tag, comm))
KAON_BOTH_WIDTHS(MPI_Rsend, (const void* buf, Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
                 return send_blocking(function, SendMode::ready, buf, count, datatype, dest, tag, comm))
KAON_BOTH_WIDTHS(MPI_Bsend, (const void* buf, Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),
                 return send_blocking(function, SendMode::buffered, buf, count, datatype, dest, tag, comm))

KAON_BOTH_WIDTHS(MPI_Recv,
                 (void* buf, Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                  MPI_Status* status),
                 return receive_blocking(function, buf, count, datatype, source, tag, comm, status))

int MPI_Sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status* status) {
  return MPI_Sendrecv_c(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag,
                        comm, status);
}
int MPI_Sendrecv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                   void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                   MPI_Status* status) {
  return mpi_call("MPI_Sendrecv", comm, [&] {
    const Caller caller(comm);
    send_and_receive(caller, outgoing(sendbuf, sendcount, sendtype), dest, sendtag,
                     incoming(recvbuf, recvcount, recvtype), origin(caller, source, recvtag), status);
  });
}

KAON_BOTH_WIDTHS(MPI_Sendrecv_replace,
                 (void* buf, Count count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag,
                  MPI_Comm comm, MPI_Status* status),
                 return exchange_in_place(function, buf, count, datatype, dest, sendtag, source, recvtag, comm, status))
