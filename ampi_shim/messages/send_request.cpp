// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/send_request.hpp"

#include <string>
#include <utility>

#include "kaon/ampi_shim/devices/program_device.hpp"
#include "kaon/ampi_shim/messages/device_payload.hpp"
#include "kaon/ampi_shim/messages/messages.hpp"
#include "kaon/ampi_shim/messages/receive_request.hpp"
#include "kaon/ampi_shim/messages/remote.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/exchange/backpressure.hpp"

namespace kaon::ampi {
namespace {

/// Whether so many messages are under way to the PE of a rank that more are lent instead of copied, until it takes
/// some.
bool is_congested(Rank& rank, int to) { return rank.scheduler().backpressure().is_congested(rank.pe_of(to)); }

Envelope envelope_of(Rank& rank, const SendTo& to, std::size_t bytes) {
  Envelope envelope;
  envelope.key = {to.context, to.source, to.tag};
  envelope.from = rank.number();
  envelope.to = to.rank_in_run;
  envelope.ranks = rank.collection();
  envelope.bytes = bytes;
  return envelope;
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

Payload<std::byte> copy_of(const Outgoing& data, std::size_t bytes) {
  if (bytes == 0) return {};
  auto copy = Payload<std::byte>::uninitialized(bytes);
  data.pack(copy.view().data());
  return copy;
}

bool send_at_once(Rank& rank, const SendTo& to, const Outgoing& data, SendMode mode) {
  const std::size_t bytes = data.bytes();
  if (is_in_device_memory(rank, data.data, data.count, data.type)) [[unlikely]]
    return false;
  const bool may_be_copied = mode == SendMode::buffered || (mode != SendMode::synchronous && bytes <= kEagerBytes);
  if (Rank* const peer = rank.neighbour(to.rank_in_run)) {
    Mailbox& mailbox = peer->part<Messages>().mailbox();
    const Envelope envelope = envelope_of(rank, to, bytes);
    if (ReceiveRequest* const receive = mailbox.take_receive(envelope.key)) {
      receive->take(envelope, data);
      return true;
    }
    if (!may_be_copied) return false;
    mailbox.keep(*new Arrived(envelope, copy_of(data, bytes)));
    return true;
  }
  if (!may_be_copied) return false;
  if (bytes > kMostInline && mode != SendMode::buffered && is_congested(rank, to.rank_in_run)) return false;
  Envelope envelope = envelope_of(rank, to, bytes);
  envelope.sequence = rank.part<Messages>().next_sequence(to.rank_in_run);
  if (bytes <= kMostInline)
    send_inline(rank, envelope, data);
  else
    send_to_other_pe(rank, envelope, copy_of(data, bytes));
  return true;
}

SendRequest::SendRequest(Rank& rank, const SendTo& to, const Outgoing& data, SendMode mode, bool is_persistent)
    : Request(is_persistent), rank_(rank), to_(to), data_(data), sent_(data), mode_(mode) {
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
  is_asked_back_ = false;
  if (!rank_.thread_locals().empty() && data_.meets(rank_.thread_locals())) keep_copy();
  rank_.part<Messages>().send_waits();
  if (is_in_device_memory(rank_, data_.data, data_.count, data_.type)) [[unlikely]]
    return send_from_device();
  if (Rank* const peer = rank_.neighbour(to_.rank_in_run))
    send_to_neighbour(*peer);
  else
    send_away();
}

void SendRequest::keep_copy() {
  copy_.resize(data_.bytes());
  data_.pack(copy_.data());
  sent_ = {copy_.data(), static_cast<MPI_Count>(copy_.size()), nullptr};
}

void SendRequest::send_to_neighbour(Rank& peer) {
  kept_ = new Arrived(envelope_of(rank_, to_, sent_.bytes()), *this);
  peer.part<Messages>().mailbox().keep(*kept_);
}

void SendRequest::send_away() {
  const std::size_t bytes = sent_.bytes();
  Envelope envelope = envelope_of(rank_, to_, bytes);
  envelope.sequence = sequence_ = rank_.part<Messages>().next_sequence(to_.rank_in_run);
  const bool is_synchronous = mode_ == SendMode::synchronous;
  const bool is_lent = bytes > kEagerBytes || (bytes > kMostInline && is_congested(rank_, to_.rank_in_run));
  const std::byte* const memory = is_lent ? sent_.contiguous() : nullptr;
  missing_ = (is_synchronous ? 1 : 0) + (memory != nullptr ? 1 : 0);
  if (is_synchronous) envelope.waiting_send = match_ = await_answer(matched_);
  if (missing_ == 0) {  // packed, and so its memory is free
    send_to_other_pe(rank_, envelope, copy_of(sent_, bytes));
    return end();
  }
  if (memory == nullptr) return send_to_other_pe(rank_, envelope, copy_of(sent_, bytes));
  Lender lender;
  send_to_other_pe(rank_, envelope, Payload<std::byte>(LentMemory{memory, bytes, this}, lender), true);
}

// Whoever gets it copies it from where it lies, also on this PE. A message in buffered mode, which does not wait for
// its receive, is a copy.
void SendRequest::send_from_device() {
  Envelope envelope = envelope_of(rank_, to_, data_.bytes());
  const bool is_synchronous = mode_ == SendMode::synchronous;
  missing_ = is_synchronous ? 2 : 1;
  if (is_synchronous) envelope.waiting_send = match_ = await_answer(matched_);
  Payload<std::byte> payload = device_payload(*this, mode_ == SendMode::buffered);
  if (Rank* const peer = rank_.neighbour(to_.rank_in_run))
    return peer->part<Messages>().deliver(envelope, std::move(payload));
  envelope.sequence = sequence_ = rank_.part<Messages>().next_sequence(to_.rank_in_run);
  send_to_other_pe(rank_, envelope, std::move(payload), true);
}

void SendRequest::was_taken() {
  kept_ = nullptr;
  end();
}

// What goes to other PEs is a number of a table, not an address: what comes back may be anything.
template <class Answer>
ReplyTo SendRequest::await_answer(Result<Answer>& answer) {
  return rank_.scheduler().replies().open(*this, answer);
}

template <class Answer>
SendRequest& SendRequest::take_answer(Pe& pe, ReplyTo send) {
  Work* const waiting = pe.replies().template close<Answer>(send).receiver;
  if (waiting == nullptr) throw CorruptMessage("an answer came to a send that does not wait for it");
  return static_cast<SendRequest&>(*waiting);
}

void SendRequest::is_matched(Pe& pe, ReplyTo send) { take_answer<Matched>(pe, send).part_has_ended(); }

void SendRequest::is_recalled(Pe& pe, ReplyTo send, bool has_gone) {
  take_answer<Recalled>(pe, send).recall_is_answered(has_gone);
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

void SendRequest::cancel() {
  if (!is_active()) return;
  if (kept_ == nullptr)
    ask_back();
  else if (!kept_->is_matched())
    take_back();
}

void SendRequest::take_back() {
  rank_.neighbour(to_.rank_in_run)->part<Messages>().mailbox().take(*kept_);
  delete std::exchange(kept_, nullptr);
  set_status_cancelled(mutable_status(), true);
  end();
}

// The answer is a part of its own, so that the request is there when it comes.
void SendRequest::ask_back() {
  if (is_asked_back_ || rank_.neighbour(to_.rank_in_run) != nullptr) return;  // of a device, and with its receiver
  is_asked_back_ = true;
  ++missing_;
  ampi::ask_back(rank_, {rank_.number(), to_.rank_in_run, rank_.collection(), sequence_, await_answer(recalled_)});
}

// A message that has gone has freed its memory, and will not be matched.
void SendRequest::recall_is_answered(bool has_gone) {
  if (has_gone) {
    set_status_cancelled(mutable_status(), true);
    if (mode_ == SendMode::synchronous) {
      take_answer<Matched>(rank_.scheduler(), match_);  // which will not come
      --missing_;
    }
  }
  part_has_ended();
}

std::string SendRequest::describe() const {
  return "until rank " + std::to_string(to_.rank_in_run) + " of the run receives " + std::to_string(sent_.bytes()) +
         " bytes with tag " + std::to_string(to_.tag);
}

}  // namespace kaon::ampi
