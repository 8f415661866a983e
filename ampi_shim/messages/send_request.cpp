// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/send_request.hpp"

#include <string>
#include <utility>

#include "kaon/ampi_shim/messages/messages.hpp"
#include "kaon/ampi_shim/messages/receive_request.hpp"
#include "kaon/ampi_shim/messages/remote.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"

namespace kaon::ampi {
namespace {

/// Up to so many bytes are copied so that their sender need not wait.
constexpr std::size_t kEagerBytes = std::size_t{16} << 10;

Envelope envelope_of(Rank& rank, const SendTo& to, std::size_t bytes) {
  Envelope envelope;
  envelope.key = {to.context, to.source, to.tag};
  envelope.from = rank.number();
  envelope.to = to.rank_in_run;
  envelope.ranks = rank.collection();
  envelope.bytes = bytes;
  return envelope;
}

Payload<std::byte> copy_of(const Outgoing& data, std::size_t bytes) {
  if (bytes == 0) return {};
  auto copy = Payload<std::byte>::uninitialized(bytes);
  data.pack(copy.view().data());
  return copy;
}

/// Memory of the program that is sent from where it lies.
class SentMemory final : public PayloadOwner {
 public:
  void release(PayloadRecord& record) noexcept override { static_cast<SendRequest*>(record.keeper)->memory_is_free(); }
};
SentMemory sent_memory;

/// What a Payload is made of besides its own memory: see its constructor from a buffer and a stream.
struct LentMemory {
  using value_type = std::byte;
  const std::byte* data;
  std::size_t bytes;
  SendRequest* send;
};
struct Lender {
  OwnedPayload record_of(const LentMemory& memory) const {
    return OwnedPayload(adopt_payload(const_cast<std::byte*>(memory.data), memory.bytes, sent_memory, memory.send));
  }
};

}  // namespace

bool send_at_once(Rank& rank, const SendTo& to, const Outgoing& data, SendMode mode) {
  const std::size_t bytes = data.bytes();
  const bool may_be_copied = mode == SendMode::buffered || (mode != SendMode::synchronous && bytes <= kEagerBytes);
  if (Rank* const peer = rank.neighbour(to.rank_in_run)) {
    Mailbox& mailbox = peer->part<Messages>().mailbox();
    const Envelope envelope = envelope_of(rank, to, bytes);
    if (ReceiveRequest* const receive = mailbox.take_receive(envelope.key)) {
      receive->take(envelope, data, rank);
      return true;
    }
    if (!may_be_copied) return false;
    mailbox.keep(*new Arrived(envelope, copy_of(data, bytes)));
    return true;
  }
  if (!may_be_copied) return false;
  Envelope envelope = envelope_of(rank, to, bytes);
  envelope.sequence = rank.part<Messages>().next_sequence(to.rank_in_run);
  send_to_other_pe(rank, envelope, copy_of(data, bytes));
  return true;
}

SendRequest::SendRequest(Rank& rank, const SendTo& to, const Outgoing& data, SendMode mode, bool is_persistent)
    : Request(is_persistent), rank_(rank), to_(to), data_(data), mode_(mode) {
  if (data.type != nullptr) type_ = TypeRef(*data.type);
  run = [](Work& self, Pe&) { static_cast<SendRequest&>(self).part_has_ended(); };
}

void SendRequest::start() {
  begin();
  if (send_at_once(rank_, to_, data_, mode_))
    complete(MPI_SUCCESS);
  else
    start_waiting();
}

void SendRequest::start_waiting() {
  begin();
  rank_.part<Messages>().send_waits();
  if (Rank* const peer = rank_.neighbour(to_.rank_in_run))
    send_to_neighbour(*peer);
  else
    send_away();
}

void SendRequest::send_to_neighbour(Rank& peer) {
  kept_ = new Arrived(envelope_of(rank_, to_, data_.bytes()), *this);
  peer.part<Messages>().mailbox().keep(*kept_);
}

void SendRequest::send_away() {
  const std::size_t bytes = data_.bytes();
  Envelope envelope = envelope_of(rank_, to_, bytes);
  envelope.sequence = rank_.part<Messages>().next_sequence(to_.rank_in_run);
  const bool is_synchronous = mode_ == SendMode::synchronous;
  const std::byte* const memory = bytes > kEagerBytes ? data_.contiguous() : nullptr;
  missing_ = (is_synchronous ? 1 : 0) + (memory != nullptr ? 1 : 0);
  if (is_synchronous) envelope.waiting_send = reinterpret_cast<std::uint64_t>(this);
  if (missing_ == 0) {  // packed, and so its memory is free
    send_to_other_pe(rank_, envelope, copy_of(data_, bytes));
    return end();
  }
  if (memory == nullptr) return send_to_other_pe(rank_, envelope, copy_of(data_, bytes));
  Lender lender;
  send_to_other_pe(rank_, envelope, Payload<std::byte>(LentMemory{memory, bytes, this}, lender));
}

void SendRequest::was_taken() {
  kept_ = nullptr;
  end();
}

void SendRequest::part_has_ended() {
  if (--missing_ == 0) end();
}

void SendRequest::end() {
  rank_.part<Messages>().send_has_ended();
  complete(MPI_SUCCESS);
}

void SendRequest::memory_is_free() noexcept {
  Pe& home = rank_.scheduler();
  if (this_scheduler_or_null() == &home)
    home.enqueue(*this);
  else
    home.push(*this);
}

/// Of a message to another PE nothing can be taken back.
void SendRequest::cancel() {
  if (!is_active() || kept_ == nullptr) return;
  rank_.neighbour(to_.rank_in_run)->part<Messages>().mailbox().take(*kept_);
  delete std::exchange(kept_, nullptr);
  set_status_cancelled(mutable_status(), true);
  end();
}

std::string SendRequest::describe() const {
  return "until rank " + std::to_string(to_.rank_in_run) + " of the run receives " + std::to_string(data_.bytes()) +
         " bytes with tag " + std::to_string(to_.tag);
}

}  // namespace kaon::ampi
