// SPDX-License-Identifier: Apache-2.0
// Memory of buffered sends: the program's, and that of communicators.
#include "kaon/ampi_shim/interface/buffered_sends.hpp"

#include <limits>

#include "kaon/ampi_shim/ranks/rank.hpp"

namespace kaon::ampi {
namespace {

class BuffersOfRank final : public RankPart {
 public:
  static constexpr RankSlot kSlot = RankSlot::buffers;
  explicit BuffersOfRank(Rank&) {}

  AttachedBuffer program;
  std::unordered_map<MPI_Comm, AttachedBuffer> communicators;
};

/// The one that a send in this communicator takes.
const AttachedBuffer& buffer_for(const Caller& caller) {
  const auto& buffers = caller.rank.part<BuffersOfRank>();
  const auto found = buffers.communicators.find(caller.communicator.handle());
  return found != buffers.communicators.end() && found->second.is_attached ? found->second : buffers.program;
}

void attach(AttachedBuffer& buffer, void* memory, MPI_Count bytes) {
  require(bytes >= 0, MPI_ERR_ARG, "the size is {}", bytes);
  require(!buffer.is_attached, MPI_ERR_BUFFER, "a buffer is attached already: detach that first");
  const bool is_automatic = memory == MPI_BUFFER_AUTOMATIC;
  buffer = {memory, is_automatic ? std::numeric_limits<MPI_Count>::max() : bytes, true};
}

/// Messages were copied when they were sent, so that there is nothing to wait for.
template <class Count>
void detach(AttachedBuffer& buffer, void* address, Count* size) {
  require_place(address, "buffer_addr");
  require_place(size, "size");
  const bool is_automatic = buffer.memory == MPI_BUFFER_AUTOMATIC;
  *static_cast<void**>(address) = buffer.memory;
  *size = is_automatic ? 0 : static_cast<Count>(buffer.bytes);
  buffer = {};
}

AttachedBuffer& buffer_of_program() { return running_rank().part<BuffersOfRank>().program; }
AttachedBuffer& buffer_of(MPI_Comm comm) {
  const Caller caller(comm);
  return caller.rank.part<BuffersOfRank>().communicators[comm];
}

}  // namespace

void require_buffer(const Caller& caller, const Outgoing& data) {
  const AttachedBuffer& buffer = buffer_for(caller);
  const auto needed = static_cast<MPI_Count>(data.bytes());
  require(buffer.is_attached, MPI_ERR_BUFFER, "no buffer is attached: call MPI_Buffer_attach first");
  require(needed <= buffer.bytes, MPI_ERR_BUFFER, "a message of {} bytes does not fit the attached buffer of {}",
          needed, buffer.bytes);
}

void require_received(int error, const MPI_Status& status) {
  require(error == MPI_SUCCESS, error,
          "the message from rank {} with tag {} is longer than the {} bytes that there is room for", status.MPI_SOURCE,
          status.MPI_TAG, status_bytes(status));
}

}  // namespace kaon::ampi

using namespace kaon::ampi;

int MPI_Buffer_attach(void* buffer, int size) {
  return mpi_call("MPI_Buffer_attach", [&] { attach(buffer_of_program(), buffer, size); });
}
int MPI_Buffer_attach_c(void* buffer, MPI_Count size) {
  return mpi_call("MPI_Buffer_attach_c", [&] { attach(buffer_of_program(), buffer, size); });
}
int MPI_Buffer_detach(void* buffer_addr, int* size) {
  return mpi_call("MPI_Buffer_detach", [&] { detach(buffer_of_program(), buffer_addr, size); });
}
int MPI_Buffer_detach_c(void* buffer_addr, MPI_Count* size) {
  return mpi_call("MPI_Buffer_detach_c", [&] { detach(buffer_of_program(), buffer_addr, size); });
}
int MPI_Buffer_flush() {
  return mpi_call("MPI_Buffer_flush", [] { (void)running_rank(); });
}
int MPI_Buffer_iflush(MPI_Request* request) {
  return mpi_call("MPI_Buffer_iflush", [&] {
    require_place(request, "request");
    (void)running_rank();
    give_request(*new CompleteRequest(empty_status()), MPI_COMM_SELF, request);
  });
}

int MPI_Comm_attach_buffer(MPI_Comm comm, void* buffer, int size) {
  return mpi_call("MPI_Comm_attach_buffer", comm, [&] { attach(buffer_of(comm), buffer, size); });
}
int MPI_Comm_attach_buffer_c(MPI_Comm comm, void* buffer, MPI_Count size) {
  return mpi_call("MPI_Comm_attach_buffer_c", comm, [&] { attach(buffer_of(comm), buffer, size); });
}
int MPI_Comm_detach_buffer(MPI_Comm comm, void* buffer_addr, int* size) {
  return mpi_call("MPI_Comm_detach_buffer", comm, [&] { detach(buffer_of(comm), buffer_addr, size); });
}
int MPI_Comm_detach_buffer_c(MPI_Comm comm, void* buffer_addr, MPI_Count* size) {
  return mpi_call("MPI_Comm_detach_buffer_c", comm, [&] { detach(buffer_of(comm), buffer_addr, size); });
}
int MPI_Comm_flush_buffer(MPI_Comm comm) {
  return mpi_call("MPI_Comm_flush_buffer", comm, [&] { (void)buffer_of(comm); });
}
int MPI_Comm_iflush_buffer(MPI_Comm comm, MPI_Request* request) {
  return mpi_call("MPI_Comm_iflush_buffer", comm, [&] {
    require_place(request, "request");
    (void)buffer_of(comm);
    give_request(*new CompleteRequest(empty_status()), comm, request);
  });
}
