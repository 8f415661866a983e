// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/receive_request.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "kaon/ampi_shim/messages/fetch.hpp"
#include "kaon/ampi_shim/messages/messages.hpp"
#include "kaon/ampi_shim/messages/probes.hpp"
#include "kaon/ampi_shim/messages/remote.hpp"
#include "kaon/ampi_shim/messages/send_request.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"

namespace kaon::ampi {

ReceiveRequest::ReceiveRequest(Rank& rank, const MatchKey& wanted, const Incoming& memory, bool is_persistent)
    : Request(is_persistent), rank_(rank), wanted_(wanted), memory_(memory) {
  if (memory.type != nullptr) type_ = TypeRef(*memory.type);
}

void ReceiveRequest::start() {
  begin();
  Mailbox& mailbox = rank_.part<Messages>().mailbox();
  if (Arrived* const message = mailbox.find(wanted_)) {
    mailbox.take(*message);
    return take_kept(*message);
  }
  is_posted_ = true;
  mailbox.post(*this);
}

void ReceiveRequest::start_with(Arrived& message) {
  begin();
  take_kept(message);
}

void ReceiveRequest::cancel() {
  if (!is_active() || !is_posted_) return;
  rank_.part<Messages>().mailbox().withdraw(*this);
  is_posted_ = false;
  set_status_cancelled(mutable_status(), true);
  complete(MPI_SUCCESS);
}

std::string ReceiveRequest::describe() const {
  return "for a message " + ampi::describe(wanted_) + (is_posted_ ? "" : ", whose data are on their way");
}

Incoming ReceiveRequest::located() const { return {rank_.locate(memory_.data), memory_.count, memory_.type}; }

void ReceiveRequest::take_kept(Arrived& message) {
  const std::unique_ptr<Arrived> owned(&message);
  if (SendRequest* const sender = message.sender()) {
    take(message.envelope(), sender->data(), sender->rank());
    sender->was_taken();
  } else {
    take(message.envelope(), std::move(message.data()));
  }
}

void ReceiveRequest::take(const Envelope& envelope, const Outgoing& from, const Rank& sender) {
  is_posted_ = false;
  located().copy_from({sender.locate(from.data), from.count, from.type});
  end(envelope);
}

void ReceiveRequest::take(const Envelope& envelope, Payload<std::byte>&& data) {
  is_posted_ = false;
  if (envelope.waiting_send != 0) tell_matched(rank_, envelope);
  if (data.is_here())
    has_come(envelope, std::move(data));
  else
    Fetch::start(*this, envelope, std::move(data));
}

std::byte* ReceiveRequest::landing_for(std::size_t bytes) const {
  return bytes <= memory_.bytes() ? located().contiguous() : nullptr;
}

void ReceiveRequest::has_come(const Envelope& envelope, Payload<std::byte>&& data) {
  const Payload<std::byte> owned(std::move(data));
  const auto bytes = owned.view();
  located().unpack(bytes.data(), std::min(bytes.size(), memory_.bytes()));
  end(envelope);
}

void ReceiveRequest::end(const Envelope& envelope) {
  MPI_Status& status = mutable_status();
  fill_status(envelope, status);
  const std::size_t room = memory_.bytes();
  const bool fits = envelope.bytes <= room;
  if (!fits) set_status_bytes(status, room);
  complete(fits ? MPI_SUCCESS : MPI_ERR_TRUNCATE);
}

}  // namespace kaon::ampi
