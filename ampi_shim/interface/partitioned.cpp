// SPDX-License-Identifier: Apache-2.0
// Partitioned communication: messages whose parts leave as the sender has them ready.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "kaon/ampi_shim/interface/message_arguments.hpp"
#include "kaon/ampi_shim/interface/program_objects.hpp"
#include "kaon/ampi_shim/messages/partitioned_receive.hpp"
#include "kaon/ampi_shim/messages/partitioned_send.hpp"
#include "kaon/ampi_shim/messages/waits.hpp"

using namespace kaon::ampi;

namespace {

/// Throws MpiFault unless so many partitions of so many elements can be.
void check_partitions(int partitions, MPI_Count count, MPI_Datatype type) {
  require(partitions >= 0, MPI_ERR_ARG, "the number of partitions is {}", partitions);
  check_count(count);
  const Datatype& known = committed_type_argument(type);
  std::int64_t elements = 0, bytes = 0;
  const bool is_too_large =
      __builtin_mul_overflow(count, std::int64_t{partitions}, &elements) ||
      __builtin_mul_overflow(elements, std::max({known.size(), known.extent(), std::int64_t{1}}), &bytes);
  require(!is_too_large, MPI_ERR_COUNT, "{} partitions of {} elements are more bytes than there are addresses",
          partitions, count);
}

/// The traffic of offers, which meet no other messages.
Context context_of_offers(const Caller& caller) { return caller.communicator.context(Traffic::partitioned); }

/// A function that makes partitions ready: `body(send)` of the send that is named.
template <class Body>
int readying(const char* function, MPI_Request request, Body&& body) {
  return mpi_call(function, communicator_of_request(request), [&] {
    Rank& rank = running_rank();
    auto* const send = dynamic_cast<PartitionedSend*>(request_of(request));
    require(send != nullptr, MPI_ERR_REQUEST, "the request is no partitioned send (MPI_Psend_init)");
    body(*send);
    let_leave(rank);
  });
}

}  // namespace

int MPI_Psend_init(const void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                   MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return mpi_call("MPI_Psend_init", comm, [&] {
    const Caller caller(comm);
    require_place(request, "request");
    (void)info_or_null(info);
    check_partitions(partitions, count, datatype);
    const Outgoing first = outgoing(buf, count, datatype);
    std::optional<SendTo> to;
    if (!goes_nowhere(dest, tag)) {
      to = destination(caller, dest, tag);
      to->context = context_of_offers(caller);
    }
    const Context own = caller.rank.part<Communicators>().new_context();
    give_request(*new PartitionedSend(caller.rank, to, first, partitions, own), comm, request);
  });
}

int MPI_Precv_init(void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                   MPI_Info info, MPI_Request* request) {
  return mpi_call("MPI_Precv_init", comm, [&] {
    const Caller caller(comm);
    require_place(request, "request");
    (void)info_or_null(info);
    check_partitions(partitions, count, datatype);
    require(dest != MPI_ANY_SOURCE, MPI_ERR_RANK, "partitioned receives take no MPI_ANY_SOURCE");
    require(tag != MPI_ANY_TAG, MPI_ERR_TAG, "partitioned receives take no MPI_ANY_TAG");
    const Incoming first = incoming(buf, count, datatype);
    std::optional<MatchKey> from = origin(caller, dest, tag);
    from->context = context_of_offers(caller);
    if (dest == MPI_PROC_NULL) from.reset();
    give_request(*new PartitionedReceive(caller.rank, from, first, partitions), comm, request);
  });
}

int MPI_Pready(int partition, MPI_Request request) {
  return readying("MPI_Pready", request, [&](PartitionedSend& send) {
    send.check_unready(partition);
    send.ready(partition);
  });
}

int MPI_Pready_range(int partition_low, int partition_high, MPI_Request request) {
  return readying("MPI_Pready_range", request, [&](PartitionedSend& send) {
    require(partition_low <= partition_high, MPI_ERR_ARG, "the range begins with {} and ends with {}", partition_low,
            partition_high);
    for (const int end : {partition_low, partition_high}) send.check_unready(end);
    for (int i = partition_low; i <= partition_high; ++i) send.check_unready(i);
    for (int i = partition_low; i <= partition_high; ++i) send.ready(i);
  });
}

int MPI_Pready_list(int length, const int array_of_partitions[], MPI_Request request) {
  return readying("MPI_Pready_list", request, [&](PartitionedSend& send) {
    require(length >= 0, MPI_ERR_ARG, "the length of the list is {}", length);
    require(array_of_partitions != nullptr || length == 0, MPI_ERR_ARG, "array_of_partitions is a null pointer");
    std::vector<int> sorted(array_of_partitions, array_of_partitions + length);
    for (const int partition : sorted) send.check_unready(partition);
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    require(twice == sorted.end(), MPI_ERR_ARG, "partition {} is in the list twice",
            twice == sorted.end() ? 0 : *twice);
    for (int i = 0; i < length; ++i) send.ready(array_of_partitions[i]);
  });
}

int MPI_Parrived(MPI_Request request, int partition, int* flag) {
  return mpi_call("MPI_Parrived", communicator_of_request(request), [&] {
    Rank& rank = running_rank();
    require_place(flag, "flag");
    *flag = 1;
    const Request* const asked = request_of(request);
    if (asked == nullptr) return;
    const auto* const receive = dynamic_cast<const PartitionedReceive*>(asked);
    require(receive != nullptr, MPI_ERR_REQUEST, "the request is no partitioned receive (MPI_Precv_init)");
    if (!receive->has_arrived(partition)) give_way(rank);
    *flag = receive->has_arrived(partition) ? 1 : 0;
  });
}
