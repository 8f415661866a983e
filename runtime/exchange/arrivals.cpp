// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/arrivals.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>

#include "kaon/runtime/archive/archive.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/exchange/exchange_setup.hpp"
#include "kaon/runtime/exchange/network_end.hpp"
#include "kaon/runtime/exchange/payload_fetch.hpp"
#include "kaon/runtime/exchange/payload_transfers.hpp"
#include "kaon/runtime/messages/collection_table.hpp"
#include "kaon/runtime/messages/entry_name.hpp"
#include "kaon/runtime/messages/running_entry.hpp"
#include "kaon/runtime/payloads/payload_record.hpp"
#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::runtime {
namespace {

std::size_t memory_of_machine() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void fill_header(Message& message, const WireMessage& wire) {
  message.element = wire.header.element;
  message.collection = wire.header.collection;
  message.source = wire.origin.source;
  message.reply = wire.reply;
  message.priority = wire.priority;
  message.flags |= wire.header.flags;
  message.hops = static_cast<std::uint8_t>(wire.origin.hops);
}

}  // namespace

Arrivals::Arrivals(const ArrivalsContext& context) : payload_limit(memory_of_machine()), context_(context) {}

void Arrivals::clear() {
  while (first_ != nullptr) drop(*first_);
  if (batch_ != nullptr) leave(std::exchange(batch_, nullptr));  // an error cut its reading short
}

void Arrivals::drop(Waiting& waiting) {
  if (waiting.message != nullptr) waiting.message->entry->destroy(*waiting.message, context_.scheduler.pool());
  if (waiting.body != nullptr) release_payload(waiting.body);
  remove(waiting);
}

const EntryRecord& Arrivals::entry_of(const WireMessage& wire) const {
  const EntryRecord* entry = context_.setup.entries->find(wire.header.entry);
  if (entry == nullptr) throw CorruptMessage("a message names an entry that this program does not have");
  const Collection* collection = context_.collections.find(wire.header.collection);
  if (collection != nullptr && !collection->runs(entry->chare_type))
    throw CorruptMessage("a message for " + readable_name(entry->name) + " names a collection of other chares");
  if (wire.origin.source >= context_.setup.pes)
    throw CorruptMessage("a message claims to come from a PE that does not exist");
  if ((entry->chare_type == nullptr) != (wire.header.collection == kNoCollection))
    throw CorruptMessage("a message for " + readable_name(entry->name) + " has no proper destination");
  return *entry;
}

void Arrivals::begin_batch(PeId sender, std::uint32_t credits) { accepting_ = {sender, credits, 0, 0}; }

void Arrivals::accept(const WireMessage& wire) {
  accepting_.priority = std::max(accepting_.priority, wire.priority);
  accepting_.bytes += wire.arguments.size();
  if (wire.header.parts & kLargeBody)
    fetch_body(wire, accepting_.sender);
  else
    unpack(wire, accepting_.sender);
}

OwnedMessage Arrivals::unpack_arguments(const EntryRecord& entry, const WireMessage& wire) {
  scratch_.clear();
  bulk_.parts.clear();
  bulk_.most_bytes = payload_limit;
  Reader in(wire.arguments.data(), wire.arguments.size(), &scratch_, entry.post == nullptr ? &bulk_ : nullptr);
  OwnedMessage message(entry.unpack(entry, in, context_.scheduler.pool()), {&context_.scheduler.pool()});
  fill_header(*message, wire);
  if (in.remaining() != 0 || scratch_.size() != wire.header.payloads)
    throw CorruptMessage("the arguments do not fill the message");
  for (const PayloadRecord* record : scratch_)
    if (record != nullptr) check_size(*record);
  return message;
}

void Arrivals::unpack(const WireMessage& wire, PeId sender) {
  const EntryRecord& entry = entry_of(wire);
  const bool is_for_all = (wire.header.flags & kBroadcastMessage) != 0;
  context_.running.note_reading(entry, is_for_all ? RunningEntry::kNoElement : wire.header.element,
                                wire.header.collection, wire.origin.source);
  OwnedMessage message = unpack_arguments(entry, wire);
  if (entry.post != nullptr) entry.post(*message, context_.pe);
  if (scratch_.empty())
    context_.scheduler.enqueue(*message.release());
  else
    fetch_payloads(*message.release(), wire, sender);
  context_.running.forget();
}

void Arrivals::check_size(const PayloadRecord& record) const {
  if (record.kind == MemoryKind::device && context_.network.accelerator == nullptr)
    throw CorruptMessage("a message announces device memory to a program that uses no devices");
  if (record.bytes > payload_limit)
    throw CorruptMessage("a message announces " + std::to_string(record.bytes) +
                         " bytes, more than the memory of this machine");
}

void Arrivals::fetch_payloads(Message& message, const WireMessage& wire, PeId sender) {
  Waiting& waiting = add_waiting(wire, sender);
  waiting.message = &message;
  waiting.missing.expect();  // this function itself, so that nothing is delivered before the last receive is posted
  auto part = bulk_.parts.begin();
  for (std::uint32_t i = 0; i < scratch_.size(); ++i) {
    if (scratch_[i] == nullptr) {
      receive_part(waiting, *part++, counter(wire, i));
      continue;
    }
    PayloadRecord& record = *scratch_[i];
    record.sender = sender;
    record.counter = counter(wire, i);
    if (record.state == PayloadState::deferred) {
      context_.deferred.add(record);
      continue;
    }
    if (record.data == nullptr) land(record, Landing::pooled());
    receive(waiting, record, record.counter);
  }
  received(waiting);
}

// Elements of a large argument, straight into the memory that the message has made for them.
void Arrivals::receive_part(Waiting& waiting, const archive::BulkPart& part, std::uint32_t counter) {
  PayloadRecord* record = announce_payload(part.bytes);
  record->data = part.data;
  receive(waiting, *record, counter);
  release_payload(record);
}

void Arrivals::fetch_body(const WireMessage& wire, PeId sender) {
  entry_of(wire);
  Waiting& waiting = add_waiting(wire, sender);
  waiting.missing.expect();
  waiting.body = announce_payload(wire.numbers.body_bytes);
  check_size(*waiting.body);
  land(*waiting.body, Landing::pooled());
  receive(waiting, *waiting.body, counter(wire, wire.header.payloads));
  received(waiting);
}

void Arrivals::body_is_here(Waiting& waiting) {
  WireMessage wire = waiting.wire;
  const PeId sender = waiting.sender;
  PayloadRecord* body = std::exchange(waiting.body, nullptr);
  Batch* const batch = waiting.batch;
  batch->missing.expect();  // the message's payloads may have to be waited for as well
  remove(waiting);
  wire.arguments = {body->data, body->bytes};
  struct Scope {
    Arrivals& arrivals;
    PayloadRecord* body;
    Batch* batch;
    Batch* outer;
    ~Scope() {
      release_payload(body);
      arrivals.batch_ = outer;
      arrivals.leave(batch);
    }
  } scope{*this, body, batch, std::exchange(batch_, batch)};
  unpack(wire, sender);
}

void Arrivals::end_batch() {
  if (Batch* const batch = std::exchange(batch_, nullptr)) {
    batch->unpacked.priority = accepting_.priority;
    batch->unpacked.bytes += accepting_.bytes;
    leave(batch);
  } else {
    batch_is_unpacked(accepting_);
  }
}

void Arrivals::leave(Batch* batch) {
  if (!batch->missing.arrive()) return;
  const UnpackedBatch unpacked = batch->unpacked;
  context_.scheduler.pool().release(batch, sizeof(Batch));
  batch_is_unpacked(unpacked);
}

void Arrivals::batch_is_unpacked(const UnpackedBatch& batch) {
  if (batch.credits > 0) context_.backlog.batch_is_unpacked(batch);
}

void Arrivals::receive(Waiting& waiting, PayloadRecord& record, std::uint32_t counter) {
  auto* receive = new (context_.scheduler.pool().allocate(sizeof(Receive))) Receive;
  receive->waiting = &waiting;
  receive->record = &record;
  waiting.batch->unpacked.bytes += record.bytes;
  ++record.holders;
  receive->next_receive = std::exchange(waiting.receives, receive);
  receive->run = [](Work& self, Pe&) {
    Waiting& message = *static_cast<Receive&>(self).waiting;
    message.owner->received(message);
  };
  waiting.missing.expect();
  if (context_.transfers.receive(waiting.sender, counter, record, *receive)) received(waiting);
}

void Arrivals::received(Waiting& waiting) {
  if (!waiting.missing.arrive()) return;
  if (waiting.epoch != context_.network.epoch) return drop(waiting);  // its payloads may not have come
  if (waiting.body != nullptr) return body_is_here(waiting);
  Message& message = *std::exchange(waiting.message, nullptr);
  context_.scheduler.enqueue(message);
  remove(waiting);
}

Arrivals::Waiting& Arrivals::add_waiting(const WireMessage& wire, PeId sender) {
  Pool& pool = context_.scheduler.pool();
  // 1: until it is read
  if (batch_ == nullptr)
    batch_ = new (pool.allocate(sizeof(Batch))) Batch{{sender, accepting_.credits}, JoinCounter(1)};
  auto* waiting = new (pool.allocate(sizeof(Waiting))) Waiting{
      this, nullptr, first_, wire, sender, batch_, nullptr, nullptr, nullptr, JoinCounter(), context_.network.epoch};
  batch_->missing.expect();
  waiting->wire.arguments = {};
  if (first_ != nullptr) first_->previous = waiting;
  ++waiting_count_;
  return *(first_ = waiting);
}

void Arrivals::remove(Waiting& waiting) {
  (waiting.previous != nullptr ? waiting.previous->next : first_) = waiting.next;
  if (waiting.next != nullptr) waiting.next->previous = waiting.previous;
  --waiting_count_;
  while (Receive* receive = waiting.receives) {
    waiting.receives = receive->next_receive;
    release_payload(receive->record);
    context_.scheduler.pool().release(receive, sizeof(Receive));
  }
  Batch* const batch = waiting.batch;
  context_.scheduler.pool().release(&waiting, sizeof(Waiting));
  leave(batch);
}

std::uint32_t Arrivals::counter(const WireMessage& wire, std::uint32_t index) const {
  return context_.transfers.counters().at(wire.numbers.first, index);
}

}  // namespace kaon::runtime
