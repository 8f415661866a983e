// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/arrivals.hpp"

#include <unistd.h>

#include <string>
#include <utility>

#include "kaon/runtime/pe/collection.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/payloads/later.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/payloads/payload.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::runtime {
namespace {

std::size_t memory_of_machine() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

const EntryRecord& entry_of(const WireMessage& wire, Pe& pe) {
  const EntryRecord* entry = pe.process().entries().find(wire.header.entry);
  if (entry == nullptr) throw CorruptMessage("a message names an entry that this program does not have");
  const Collection* collection = pe.collection(wire.header.collection);
  if (collection != nullptr && collection->chare_type() != entry->chare_type)
    throw CorruptMessage("a message for " + std::string(entry->name) + " names a collection of other chares");
  if (wire.origin.source >= pe.process().total_pes())
    throw CorruptMessage("a message claims to come from a PE that does not exist");
  if ((entry->chare_type == nullptr) != (wire.header.collection == kNoCollection))
    throw CorruptMessage("a message for " + std::string(entry->name) + " has no proper destination");
  return *entry;
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

Arrivals::Arrivals(Pe& pe) : payload_limit(memory_of_machine()), pe_(pe) {}

void Arrivals::clear() {
  while (first_ != nullptr) {
    if (first_->message != nullptr) first_->message->entry->destroy(*first_->message, pe_);
    if (first_->body != nullptr) release_payload(first_->body);
    remove(*first_);
  }
  if (batch_ != nullptr) leave(std::exchange(batch_, nullptr));  // an error cut its reading short
}

void Arrivals::accept(const WireMessage& wire, PeId sender) {
  if (wire.header.parts & kLargeBody)
    fetch_body(wire, sender);
  else
    unpack(wire, sender);
}

void Arrivals::unpack(const WireMessage& wire, PeId sender) {
  const EntryRecord& entry = entry_of(wire, pe_);
  scratch_.clear();
  Reader in(wire.arguments.data(), wire.arguments.size(), &scratch_);
  Message& message = *entry.unpack(entry, in, pe_);
  fill_header(message, wire);
  try {
    if (in.remaining() != 0 || scratch_.size() != wire.header.payloads)
      throw CorruptMessage("the arguments of a message for " + std::string(entry.name) + " do not fill it");
    for (const PayloadRecord* record : scratch_) check_size(*record);
    if (entry.post != nullptr) entry.post(message, pe_);
  } catch (...) {
    entry.destroy(message, pe_);
    throw;
  }
  if (scratch_.empty())
    deliver(message);
  else
    fetch_payloads(message, wire, sender);
}

void Arrivals::check_size(const PayloadRecord& record) const {
  if (record.kind == MemoryKind::device && !pe_.has_accelerator())
    throw CorruptMessage("a message announces device memory to a program that uses no devices");
  if (record.bytes > payload_limit)
    throw CorruptMessage("a message announces " + std::to_string(record.bytes) +
                         " bytes, more than the memory of this machine");
}

void Arrivals::fetch_payloads(Message& message, const WireMessage& wire, PeId sender) {
  Waiting& waiting = add_waiting(wire, sender);
  waiting.message = &message;
  waiting.missing = 1;  // this function itself, so that nothing is delivered before the last receive is posted
  for (std::uint32_t i = 0; i < scratch_.size(); ++i) {
    PayloadRecord& record = *scratch_[i];
    record.sender = sender;
    record.counter = counter(wire, i);
    if (record.is_later) {
      pe_.note_later(record);
      continue;
    }
    if (record.data == nullptr) land(record, Landing::pooled());
    receive(waiting, record, record.counter);
  }
  received(waiting);
}

void Arrivals::fetch_body(const WireMessage& wire, PeId sender) {
  entry_of(wire, pe_);
  Waiting& waiting = add_waiting(wire, sender);
  waiting.missing = 1;
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
  ++batch->missing;  // the message's payloads may have to be waited for as well
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

bool Arrivals::is_batch_taken() {
  Batch* const batch = std::exchange(batch_, nullptr);
  if (batch == nullptr) return true;
  leave(batch);
  return false;
}

void Arrivals::leave(Batch* batch) {
  if (--batch->missing > 0) return;
  const PeId sender = batch->sender;
  pe_.pool().release(batch, sizeof(Batch));
  if (pe_.port() != nullptr) pe_.outbox(sender).batch_taken();
}

void Arrivals::receive(Waiting& waiting, PayloadRecord& record, std::uint32_t counter) {
  auto* receive = new (pe_.pool().allocate(sizeof(Receive))) Receive;
  receive->waiting = &waiting;
  receive->next = std::exchange(waiting.receives, receive);
  receive->completed = [](Transfer& self) {
    Waiting& waiting = *static_cast<Receive&>(self).waiting;
    waiting.owner->received(waiting);
  };
  ++waiting.missing;
  if (receive_payload(pe_, waiting.sender, counter, record, *receive)) receive->completed(*receive);
}

void Arrivals::received(Waiting& waiting) {
  if (--waiting.missing > 0) return;
  if (waiting.body != nullptr) return body_is_here(waiting);
  Message& message = *std::exchange(waiting.message, nullptr);
  remove(waiting);
  deliver(message);
}

void Arrivals::deliver(Message& message) { pe_.enqueue(message); }

Arrivals::Waiting& Arrivals::add_waiting(const WireMessage& wire, PeId sender) {
  if (batch_ == nullptr) batch_ = new (pe_.pool().allocate(sizeof(Batch))) Batch{sender, 1};  // 1: until it is read
  auto* waiting = new (pe_.pool().allocate(sizeof(Waiting)))
      Waiting{this, nullptr, first_, wire, sender, batch_, nullptr, nullptr, nullptr, 0};
  ++batch_->missing;
  waiting->wire.arguments = {};
  if (first_ != nullptr) first_->previous = waiting;
  return *(first_ = waiting);
}

void Arrivals::remove(Waiting& waiting) {
  (waiting.previous != nullptr ? waiting.previous->next : first_) = waiting.next;
  if (waiting.next != nullptr) waiting.next->previous = waiting.previous;
  while (Receive* receive = waiting.receives) {
    waiting.receives = receive->next;
    pe_.pool().release(receive, sizeof(Receive));
  }
  Batch* const batch = waiting.batch;
  pe_.pool().release(&waiting, sizeof(Waiting));
  leave(batch);
}

std::uint32_t Arrivals::counter(const WireMessage& wire, std::uint32_t index) const {
  return (wire.numbers.first + index) & pe_.payload_counter_mask();
}

}  // namespace kaon::runtime
