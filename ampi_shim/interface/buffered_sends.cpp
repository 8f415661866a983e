// SPDX-License-Identifier: Apache-2.0
// Memory of buffered sends: the program's, and that of communicators.
#include "kaon/ampi_shim/interface/buffered_sends.hpp"

#include <limits>

#include "kaon/ampi_shim/interface/both_widths.hpp"
#include "kaon/ampi_shim/interface/program_objects.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"

namespace kaon::ampi {
namespace {

class BuffersOfRank final : public RankPart {
 public:
  static constexpr RankSlot kSlot = RankSlot::buffers;
  explicit BuffersOfRank(Rank&) {}

  AttachedBuffer program;
  std::unordered_map<MPI_Comm, AttachedBuffer> communicators;
  std::unordered_map<MPI_Session, AttachedBuffer> sessions;
};

/// The one that a send in this communicator takes: its own, that of a session, or the program's. Communicators do not
/// know which session they are of.
const AttachedBuffer& buffer_for(const Caller& caller) {
  const auto& buffers = caller.rank.part<BuffersOfRank>();
  const auto found = buffers.communicators.find(caller.communicator.handle());
  if (found != buffers.communicators.end() && found->second.is_attached) return found->second;
  const AttachedBuffer* largest = &buffers.program;
  for (const auto& [session, buffer] : buffers.sessions)
    if (buffer.is_attached && (!largest->is_attached || buffer.bytes > largest->bytes)) largest = &buffer;
  return *largest;
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

AttachedBuffer& buffer_of(MPI_Session session) {
  Rank& rank = running_rank();
  session_of(session);
  return rank.part<BuffersOfRank>().sessions[session];
}

}  // namespace

void forget_buffer(MPI_Session session) { calling_rank().part<BuffersOfRank>().sessions.erase(session); }
void forget_buffer(MPI_Comm comm) { calling_rank().part<BuffersOfRank>().communicators.erase(comm); }

void require_buffer(const Caller& caller, const Outgoing& data) {
  const AttachedBuffer& buffer = buffer_for(caller);
  const auto needed = static_cast<MPI_Count>(data.bytes());
  require(buffer.is_attached, MPI_ERR_BUFFER, "no buffer is attached: call MPI_Buffer_attach first");
  require(needed <= buffer.bytes, MPI_ERR_BUFFER, "a message of {} bytes does not fit the attached buffer of {}",
          needed, buffer.bytes);
}

void require_received(int error, const MPI_Status& status) {
  if (error != MPI_SUCCESS) throw MpiFault(error, text_of_failure(error, status));
}

}  // namespace kaon::ampi

using namespace kaon::ampi;

KAON_BOTH_WIDTHS(MPI_Buffer_attach, (void* buffer, Count size),
                 return mpi_call(function, [&] { attach(buffer_of_program(), buffer, size); }))
KAON_BOTH_WIDTHS(MPI_Buffer_detach, (void* buffer_addr, Count* size),
                 return mpi_call(function, [&] { detach(buffer_of_program(), buffer_addr, size); }))
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

KAON_BOTH_WIDTHS(MPI_Comm_attach_buffer, (MPI_Comm comm, void* buffer, Count size),
                 return mpi_call(function, comm, [&] { attach(buffer_of(comm), buffer, size); }))
KAON_BOTH_WIDTHS(MPI_Comm_detach_buffer, (MPI_Comm comm, void* buffer_addr, Count* size),
                 return mpi_call(function, comm, [&] { detach(buffer_of(comm), buffer_addr, size); }))
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

KAON_BOTH_WIDTHS(MPI_Session_attach_buffer, (MPI_Session session, void* buffer, Count size),
                 return mpi_call(function, session, [&] { attach(buffer_of(session), buffer, size); }))
KAON_BOTH_WIDTHS(MPI_Session_detach_buffer, (MPI_Session session, void* buffer_addr, Count* size),
                 return mpi_call(function, session, [&] { detach(buffer_of(session), buffer_addr, size); }))
int MPI_Session_flush_buffer(MPI_Session session) {
  return mpi_call("MPI_Session_flush_buffer", session, [&] { (void)buffer_of(session); });
}
int MPI_Session_iflush_buffer(MPI_Session session, MPI_Request* request) {
  return mpi_call("MPI_Session_iflush_buffer", session, [&] {
    require_place(request, "request");
    (void)buffer_of(session);
    give_request(*new CompleteRequest(empty_status()), MPI_COMM_SELF, request);
  });
}
