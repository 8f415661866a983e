// SPDX-License-Identifier: Apache-2.0
// Messages and reductions in the order of a stream: the calls return at once.
#include <mpi.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "kaon/ampi_shim/devices/program_device.hpp"
#include "kaon/ampi_shim/interface/communicator_arguments.hpp"
#include "kaon/ampi_shim/interface/operation_arguments.hpp"
#include "kaon/ampi_shim/interface/stream_arguments.hpp"
#include "kaon/ampi_shim/messages/waits.hpp"
#include "kaon/ampi_shim/streams/enqueued_reduction.hpp"
#include "kaon/ampi_shim/streams/enqueued_transfer.hpp"

using namespace kaon::ampi;

namespace {

EnqueuedTransfer& enqueue_send(const Caller& caller, const void* buffer, MPI_Count count, MPI_Datatype type, int to,
                               int tag) {
  ProgramStream& stream = stream_of(caller);
  const Outgoing data = outgoing(buffer, count, type);
  if (goes_nowhere(to, tag)) return EnqueuedTransfer::send(stream, std::nullopt, data);
  return EnqueuedTransfer::send(stream, destination(caller, to, tag), data);
}

EnqueuedTransfer& enqueue_receive(const Caller& caller, void* buffer, MPI_Count count, MPI_Datatype type, int from,
                                  int tag) {
  ProgramStream& stream = stream_of(caller);
  const Incoming memory = incoming(buffer, count, type);
  const MatchKey wanted = origin(caller, from, tag);
  if (from == MPI_PROC_NULL) return EnqueuedTransfer::receive(stream, std::nullopt, memory);
  return EnqueuedTransfer::receive(stream, wanted, memory);
}

void hold_for(EnqueuedTransfer& transfer, MPI_Status* status) {
  StreamHold& hold = transfer.stream().hold(1);
  Rank& rank = transfer.stream().rank();
  transfer.hand_to(hold, status == MPI_STATUS_IGNORE ? nullptr : status);
  let_leave(rank);
}

EnqueuedTransfer& enqueued_argument(MPI_Request handle) {
  auto* const transfer = dynamic_cast<EnqueuedTransfer*>(request_of(handle));
  require(transfer != nullptr, MPI_ERR_REQUEST,
          "the request was not made by MPIX_Isend_enqueue or MPIX_Irecv_enqueue; wait for it by MPI_Wait");
  return *transfer;
}

/// Elements that a kernel reads or writes.
void require_on_device(Rank& rank, const void* buffer, MPI_Count count, const Datatype& type, const char* name) {
  require(count == 0 || is_in_device_memory(rank, buffer, count, &type), MPI_ERR_BUFFER,
          "{} is not in the memory of a device, where the kernel of the reduction needs it", name);
}

ReducedElements reduced_elements(const Caller& caller, const void* from, void* to, MPI_Count count, MPI_Datatype handle,
                                 MPI_Op op) {
  require_intra(caller.communicator);
  const Datatype& type = *checked_type(to, count, handle);
  (void)operation_argument(op, type);
  const std::optional<DeviceOperation> operation = device_operation(op);
  require(operation.has_value(), MPI_ERR_OP,
          "kernels reduce by the predefined operations but MPI_MINLOC and MPI_MAXLOC; use MPI_Allreduce for others");
  require(is_reduced_by_kernels(type), MPI_ERR_TYPE,
          "kernels reduce integers of up to 8 bytes, float and double; use MPI_Allreduce for other types");
  const void* const source = from == MPI_IN_PLACE ? to : from;
  if (from != MPI_IN_PLACE) {
    (void)checked_type(from, count, handle);
    require(from != to || count == 0, MPI_ERR_BUFFER, "both buffers are the same memory; pass MPI_IN_PLACE as sendbuf");
  }
  require_on_device(caller.rank, source, count, type, "sendbuf");
  require_on_device(caller.rank, to, count, type, "recvbuf");
  return {static_cast<const std::byte*>(source), static_cast<std::byte*>(to), count, &type, *operation};
}

}  // namespace

int MPIX_Send_enqueue(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return mpi_call("MPIX_Send_enqueue", comm,
                  [&] { hold_for(enqueue_send(Caller(comm), buf, count, datatype, dest, tag), MPI_STATUS_IGNORE); });
}

int MPIX_Recv_enqueue(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                      MPI_Status* status) {
  return mpi_call("MPIX_Recv_enqueue", comm,
                  [&] { hold_for(enqueue_receive(Caller(comm), buf, count, datatype, source, tag), status); });
}

int MPIX_Isend_enqueue(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                       MPI_Request* request) {
  return mpi_call("MPIX_Isend_enqueue", comm, [&] {
    require_place(request, "request");
    const Caller caller(comm);
    give_request(enqueue_send(caller, buf, count, datatype, dest, tag), comm, request);
    let_leave(caller.rank);
  });
}

int MPIX_Irecv_enqueue(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                       MPI_Request* request) {
  return mpi_call("MPIX_Irecv_enqueue", comm, [&] {
    require_place(request, "request");
    const Caller caller(comm);
    give_request(enqueue_receive(caller, buf, count, datatype, source, tag), comm, request);
    let_leave(caller.rank);
  });
}

int MPIX_Wait_enqueue(MPI_Request* request, MPI_Status* status) {
  const MPI_Comm comm = request != nullptr ? communicator_of_request(*request) : MPI_COMM_NULL;
  return mpi_call("MPIX_Wait_enqueue", comm, [&] {
    (void)running_rank();
    require_place(request, "request");
    if (*request == MPI_REQUEST_NULL) return give_empty_status(status);
    hold_for(enqueued_argument(*request), status);
    *request = MPI_REQUEST_NULL;
  });
}

int MPIX_Waitall_enqueue(int count, MPI_Request array_of_requests[], MPI_Status array_of_statuses[]) {
  return mpi_call("MPIX_Waitall_enqueue", [&] {
    (void)running_rank();
    const RequestArray requests(count, array_of_requests);
    std::vector<EnqueuedTransfer*> transfers;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (requests[i] == nullptr) continue;
      transfers.push_back(&enqueued_argument(array_of_requests[i]));
      require(&transfers.back()->stream() == &transfers.front()->stream(), MPI_ERR_REQUEST,
              "requests {} and others were enqueued on several streams; wait for those of each by a call", i);
    }
    if (transfers.empty()) return;
    std::vector<EnqueuedTransfer*> sorted = transfers;
    std::sort(sorted.begin(), sorted.end());
    require(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(), MPI_ERR_REQUEST,
            "a request is in the array twice");
    StreamHold& hold = transfers.front()->stream().hold(transfers.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
      MPI_Status* const status = array_of_statuses == MPI_STATUSES_IGNORE ? nullptr : array_of_statuses + i;
      if (requests[i] != nullptr)
        static_cast<EnqueuedTransfer*>(requests[i])->hand_to(hold, status);
      else if (status != nullptr)
        give_empty_status(status);
      array_of_requests[i] = MPI_REQUEST_NULL;
    }
  });
}

int MPIX_Allreduce_enqueue(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                           MPI_Comm comm) {
  return mpi_call("MPIX_Allreduce_enqueue", comm, [&] {
    const Caller caller(comm);
    ProgramStream& stream = stream_of(caller);
    enqueue_allreduce(stream, caller.communicator, reduced_elements(caller, sendbuf, recvbuf, count, datatype, op));
  });
}
