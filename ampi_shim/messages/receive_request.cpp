// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/receive_request.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "kaon/ampi_shim/messages/device_arrival.hpp"
#include "kaon/ampi_shim/messages/fetch.hpp"
#include "kaon/ampi_shim/messages/messages.hpp"
#include "kaon/ampi_shim/messages/probes.hpp"
#include "kaon/ampi_shim/messages/remote.hpp"
#include "kaon/ampi_shim/messages/send_request.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/ampi_shim/ranks/switched_in.hpp"

namespace kaon::ampi {
namespace {

/// Of a message of so many bytes. A part of an element, which is all that is known of other types here, came from
/// another type.
int error_of(const Incoming& memory, std::uint64_t bytes) {
  if (bytes > memory.bytes()) return MPI_ERR_TRUNCATE;
  if (memory.type == nullptr) return MPI_SUCCESS;
  const auto elements = elements_in(memory.type->definition(), static_cast<std::int64_t>(bytes));
  return elements == MPI_UNDEFINED ? MPI_ERR_TYPE : MPI_SUCCESS;
}

}  // namespace

ReceiveRequest::ReceiveRequest(Rank& rank, const MatchKey& wanted, const Incoming& memory, bool is_persistent)
    : Request(is_persistent),
      rank_(rank),
      wanted_(wanted),
      memory_(memory),
      is_switched_(!rank.thread_locals().empty() && memory.meets(rank.thread_locals())) {
  if (memory.type != nullptr) type_ = TypeRef(*memory.type);
}

void ReceiveRequest::start() {
  begin();
  is_on_device_ = is_in_device_memory(rank_, memory_.data, memory_.count, memory_.type);
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
  is_on_device_ = is_in_device_memory(rank_, memory_.data, memory_.count, memory_.type);
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

void ReceiveRequest::unpack(const std::byte* from, std::size_t bytes) const {
  if (!is_switched_) return memory_.unpack(from, bytes);
  const SwitchedIn switched(rank_);
  memory_.unpack(from, bytes);
}

void ReceiveRequest::take_kept(Arrived& message) {
  const std::unique_ptr<Arrived> owned(&message);
  if (SendRequest* const sender = message.sender()) {
    take(message.envelope(), sender->data());
    sender->was_taken();
  } else {
    take(message.envelope(), std::move(message.data()));
  }
}

void ReceiveRequest::take(const Envelope& envelope, const Outgoing& from) {
  if (is_on_device_) [[unlikely]]
    return take(envelope, copy_of(from, envelope.bytes));
  is_posted_ = false;
  if (is_switched_) {
    std::vector<std::byte> data(from.bytes());
    from.pack(data.data());
    unpack(data.data(), std::min(data.size(), memory_.bytes()));
  } else {
    memory_.copy_from(from);
  }
  end(envelope);
}

void ReceiveRequest::take(const Envelope& envelope, Payload<std::byte>&& data) {
  is_posted_ = false;
  has_answered_ = bool(envelope.waiting_send);
  if (has_answered_) tell_matched(rank_, envelope);
  if (is_on_device_ || data.is_on_device()) [[unlikely]]
    return DeviceArrival::start(*this, envelope, std::move(data));
  if (data.is_here())
    has_come(envelope, std::move(data));
  else
    Fetch::start(*this, envelope, std::move(data));
}

void ReceiveRequest::take(const Envelope& envelope, const std::byte* data) {
  if (is_on_device_) [[unlikely]]
    return take(envelope, copy_of({data, static_cast<MPI_Count>(envelope.bytes), nullptr}, envelope.bytes));
  is_posted_ = false;
  unpack(data, std::min<std::size_t>(envelope.bytes, memory_.bytes()));
  end(envelope);
}

ProgramData ReceiveRequest::elements() const { return {memory_.data, memory_.count, memory_.type, is_on_device_}; }

std::byte* ReceiveRequest::landing_for(std::size_t bytes) const {
  return bytes <= memory_.bytes() && !is_switched_ ? memory_.contiguous() : nullptr;
}

void ReceiveRequest::has_come(const Envelope& envelope, Payload<std::byte>&& data) {
  const Payload<std::byte> owned(std::move(data));
  const auto bytes = owned.view();
  unpack(bytes.data(), std::min(bytes.size(), memory_.bytes()));
  end(envelope);
}

void ReceiveRequest::end(const Envelope& envelope) {
  MPI_Status& status = mutable_status();
  fill_status(envelope, status);
  const std::size_t room = memory_.bytes();
  if (envelope.bytes > room) set_status_bytes(status, room);
  complete(envelope.bytes == room ? MPI_SUCCESS : error_of(memory_, envelope.bytes));
}

}  // namespace kaon::ampi
