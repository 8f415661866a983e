// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/exchange.hpp"

#include <string>

#include "kaon/runtime/base/error.hpp"

namespace kaon::runtime {

Exchange::Exchange(Pe& pe, Scheduler& scheduler, CollectionTable& collections, RunningEntry& running,
                   const ExchangeSetup& setup)
    : pe_(pe),
      scheduler_(scheduler),
      collections_(collections),
      running_(running),
      setup_(setup),
      epoch_(setup.epoch),
      outboxes_(setup.pes),
      payload_counter_mask_(~0u >> (32 - setup.payload_counter_bits)),
      deferred_(*this),
      backlog_(*this),
      arrivals_(*this) {}

Exchange::~Exchange() = default;

void Exchange::open(Machine& machine) {
  port_ = machine.open_port(pe_id(), *this);
  port_->begin_epoch(epoch_);
}

void Exchange::begin_epoch(std::uint8_t epoch) {
  epoch_ = epoch;
  deferred_.forget_all();
  if (port_ != nullptr) port_->begin_epoch(epoch);
}

void Exchange::clear() {
  arrivals_.clear();
  outboxes_.clear();
}

bool Exchange::is_sending() const {
  return (port_ != nullptr && port_->is_sending()) || (accelerator_ != nullptr && accelerator_->is_moving());
}

bool Exchange::progress() {
  is_held_back_ = false;
  bool has_moved = accelerator_ != nullptr && accelerator_->progress();
  if (port_ == nullptr) return has_moved;
  has_moved |= port_->progress();
  if (!dirty_.empty()) flush();
  return has_moved;
}

bool Exchange::look() {
  if (accelerator_ != nullptr && accelerator_->progress()) return true;
  return port_ != nullptr && port_->progress();
}

void Exchange::flush() {
  // by index: a flush may make another outbox dirty
  for (std::size_t i = 0; i < dirty_.size(); ++i) dirty_[i]->flush();
  dirty_.clear();
}

Outbox& Exchange::outbox(PeId to) {
  if (outboxes_[to] == nullptr) {
    if (port_ == nullptr)
      throw UsageError("PE " + std::to_string(to) + " is in another process, but there is no network");
    outboxes_[to] = std::make_unique<Outbox>(*this, to, setup_.credits);
  }
  return *outboxes_[to];
}

// --- batches

BatchHeader Exchange::batch_header(std::uint8_t cost, std::uint16_t credits) const {
  return {setup_.secret, pe_id(), epoch_, cost, credits};
}

void Exchange::check_batch(const BatchHeader& header) const {
  if (header.secret != setup_.secret)
    throw CorruptMessage("a batch of messages came from a process that is not one of this run");
  if (header.source >= setup_.pes || setup_.is_local(header.source))
    throw CorruptMessage("a batch of messages claims to come from PE " + std::to_string(header.source));
}

void Exchange::batch_arrived(Lane lane, std::span<const std::byte> bytes) {
  BatchReader batch(bytes);
  const BatchHeader& header = batch.header();
  check_batch(header);
  if (header.epoch != epoch_) return;  // from before a rollback
  outbox(header.source).credits_returned(header.credits);
  if ((header.cost == 0) != (lane == Lane::control) || header.cost > setup_.credits)
    throw CorruptMessage("a batch of messages says that it used " + std::to_string(header.cost) + " credits");
  arrivals_.begin_batch(header.source, header.cost);
  for (WireMessage message; batch.next(message);) {
    if (((message.header.flags & kControlMessage) != 0) != (lane == Lane::control))
      throw CorruptMessage("a message came among those of another lane");
    arrivals_.accept(message);
  }
  arrivals_.end_batch();
}

void Exchange::throw_no_room(PeId to) const {
  throw OutOfMemory("PE " + std::to_string(pe_id()) + " holds " + std::to_string(waiting_bytes_ >> 20) +
                    " MiB of messages that others are too slow to take, most lately PE " + std::to_string(to) +
                    ": await ready() before sending, or raise --queue-limit-mib");
}

// --- payloads

std::uint32_t Exchange::next_payload_counters(std::uint32_t count) {
  const std::uint32_t first = payload_counter_;
  payload_counter_ = (payload_counter_ + count) & payload_counter_mask_;
  return first;
}

void Exchange::send_payload(PayloadSend& send, PeId to) {
  send.run = [](Work& self, Pe&) {
    auto& done = static_cast<PayloadSend&>(self);
    done.exchange->end_payload_send(done);
  };
  PayloadRecord& record = *send.record;
  if (record.kind == MemoryKind::host) transfers_.add(Route::host, record.bytes);
  const bool is_sent = record.kind == MemoryKind::device
                           ? accelerator_->send(to, send.counter, send.route, record, send)
                           : port_->send_payload(to, send.counter, record.memory(), send);
  if (is_sent) end_payload_send(send);
}

void Exchange::end_payload_send(PayloadSend& send) {
  release_payload(send.record);
  pool().release(&send, sizeof(PayloadSend));
}

bool Exchange::receive_payload(PeId from, std::uint32_t counter, PayloadRecord& record, Work& done) {
  if (record.kind == MemoryKind::device) return accelerator_->receive(from, counter, record, done);
  return port_->receive_payload(from, counter, record.memory(), done);
}

}  // namespace kaon::runtime
