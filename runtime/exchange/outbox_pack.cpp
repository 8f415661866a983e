// SPDX-License-Identifier: Apache-2.0
// How a message becomes bytes of a batch.
#include <cstring>

#include "kaon/runtime/payloads/accelerator.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/exchange/outbox.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::runtime {
namespace {

std::uint8_t parts_of(const Message& message, PeId sender) {
  std::uint8_t parts = 0;
  if (message.source != sender) parts |= kHasOrigin;
  if (message.reply) parts |= kHasReply;
  if (message.priority != 0) parts |= kHasPriority;
  return parts;
}

}  // namespace

bool Outbox::pack_into(Batch& batch, const Message& message) {
  const std::uint8_t parts = parts_of(message, from_.id());
  const std::size_t before = batch.used + header_bytes(parts);
  if (before + sizeof(PayloadNumbers) > kBatchBytes) return false;
  scratch_.clear();
  Writer body(batch.bytes.data() + before, kBatchBytes - before - sizeof(PayloadNumbers), &scratch_);
  message.entry->pack(message, body);
  if (!body.fits()) return false;
  finish(batch, message, parts, body.bytes(), 0);
  return true;
}

void Outbox::pack_large(Batch& batch, const Message& message) {
  Writer size(nullptr, 0, &scratch_);
  message.entry->pack(message, size);
  PayloadRecord* body = make_payload(size.bytes());
  scratch_.clear();
  Writer writer(body->data, body->bytes, &scratch_);
  message.entry->pack(message, writer);
  scratch_.push_back(body);
  finish(batch, message, static_cast<std::uint8_t>(parts_of(message, from_.id()) | kLargeBody), 0, size.bytes());
  release_payload(body);  // the batch holds it now
}

void Outbox::finish(Batch& batch, const Message& message, std::uint8_t parts, std::size_t bytes,
                    std::size_t body_bytes) {
  if (scratch_.size() > 0xffff) throw UsageError("a message can carry at most 65535 payloads: put more into each");
  if (!scratch_.empty()) parts |= kHasPayloads;
  const auto apart = static_cast<std::uint32_t>(scratch_.size());
  WireMessage wire{};
  wire.header = {message.element,
                 message.entry->id,
                 message.collection,
                 static_cast<std::uint32_t>(bytes),
                 static_cast<std::uint16_t>(parts & kLargeBody ? apart - 1 : apart),
                 static_cast<std::uint8_t>(message.flags & (kControlMessage | kBroadcastMessage)),
                 parts};
  wire.origin = {message.source, message.hops};
  wire.reply = message.reply;
  wire.priority = message.priority;
  batch.used += static_cast<std::uint32_t>(write_header(batch.bytes.data() + batch.used, wire) + bytes);
  if (apart == 0) return;
  const PayloadNumbers numbers{body_bytes, from_.next_payload_counters(apart), 0};
  std::memcpy(batch.bytes.data() + batch.used, &numbers, sizeof numbers);
  batch.used += sizeof numbers;
  for (std::uint32_t i = 0; i < apart; ++i)
    attach(batch, *scratch_[i], (numbers.first + i) & from_.payload_counter_mask());
}

void Outbox::attach(Batch& batch, PayloadRecord& record, std::uint32_t counter) {
  auto* send = new (from_.pool().allocate(sizeof(PayloadSend))) PayloadSend;
  ++record.owners;
  if (record.kind == MemoryKind::device) from_.accelerator().prepare(record);
  send->record = &record;
  send->pe = &from_;
  send->counter = counter;
  batch.payloads.push_back(send);
}

}  // namespace kaon::runtime
