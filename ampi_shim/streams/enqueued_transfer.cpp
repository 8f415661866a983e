// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/streams/enqueued_transfer.hpp"

#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"
#include "kaon/ampi_shim/messages/probes.hpp"
#include "kaon/ampi_shim/messages/waits.hpp"

namespace kaon::ampi {

EnqueuedTransfer::EnqueuedTransfer(ProgramStream& stream, const Datatype* type) : Request(false), stream_(stream) {
  if (type != nullptr) type_ = TypeRef(*type);
  begin();
  stream_.transfer_begins();
}

EnqueuedTransfer& EnqueuedTransfer::send(ProgramStream& stream, const std::optional<SendTo>& to, const Outgoing& data) {
  auto& made = *new EnqueuedTransfer(stream, data.type);
  made.to_ = to;
  made.data_ = data;
  stream.begin_behind(made);
  return made;
}

EnqueuedTransfer& EnqueuedTransfer::receive(ProgramStream& stream, const std::optional<MatchKey>& from,
                                            const Incoming& memory) {
  auto& made = *new EnqueuedTransfer(stream, memory.type);
  made.from_ = from;
  made.memory_ = memory;
  if (!from) made.mutable_status() = null_process_status();
  stream.begin_behind(made);
  return made;
}

void EnqueuedTransfer::begin_now() {
  has_begun_ = true;
  Rank& rank = stream_.rank();
  Request* request = nullptr;
  if (to_) request = begin_send(rank, *to_, data_, *this);
  if (from_) request = begin_receive(rank, *from_, memory_, *this, &mutable_status());
  let_leave(rank);
  if (request == nullptr)
    end(MPI_SUCCESS);
  else if (request->is_complete())
    completed(*request);
}

void EnqueuedTransfer::completed(Request& request) {
  if (from_) mutable_status() = request.status();
  const int error = request.error();
  delete &request;
  end(error);
}

void EnqueuedTransfer::end(int error) {
  mutable_status().MPI_ERROR = error;
  stream_.transfer_has_ended();
  if (hold_ != nullptr) give_to_hold();
  complete(error);  // which destroys it, if a hold has it
}

void EnqueuedTransfer::give_to_hold() {
  if (status_place_ != nullptr) *status_place_ = status();
  if (error() != MPI_SUCCESS) stream_.note_failure(error(), status());
  hold_->transfer_has_ended();
}

void EnqueuedTransfer::hand_to(StreamHold& hold, MPI_Status* status) {
  hold_ = &hold;
  status_place_ = status;
  if (is_complete()) give_to_hold();
  free();
}

void EnqueuedTransfer::cancel() {
  throw MpiFault(MPI_ERR_REQUEST, "enqueued requests cannot be cancelled; let the other side take part");
}

std::string EnqueuedTransfer::describe() const {
  const std::string what =
      to_     ? "send to rank " + std::to_string(to_->rank_in_run) + " of the run with tag " + std::to_string(to_->tag)
      : from_ ? "receive " + ampi::describe(*from_)
              : "transfer with MPI_PROC_NULL";
  return "for an enqueued " + what + (has_begun_ ? "" : ", whose stream has not come to it");
}

}  // namespace kaon::ampi
