// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/message_packer.hpp"

#include <cstring>

#include "kaon/runtime/archive/archive.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/payloads/accelerator.hpp"

namespace kaon::runtime {
namespace {

constexpr std::size_t kUnknown = ~std::size_t{0};

std::uint8_t parts_of(const Message& message, PeId sender) {
  std::uint8_t parts = 0;
  if (message.source != sender) parts |= kHasOrigin;
  if (message.reply) parts |= kHasReply;
  if (message.priority != 0) parts |= kHasPriority;
  return parts;
}

}  // namespace

MessagePacker::MessagePacker(Exchange& exchange, const Message& message)
    : exchange_(exchange),
      message_(message),
      payloads_(exchange.scratch()),
      parts_(parts_of(message, exchange.pe_id())),
      argument_bytes_(kUnknown) {}

std::size_t MessagePacker::bytes_of_header() const { return header_bytes(parts_) + sizeof(PayloadNumbers); }

bool MessagePacker::pack_into(Batch& batch) {
  const std::size_t before = batch.used + header_bytes(parts_);
  if (before + sizeof(PayloadNumbers) > kBatchBytes) return false;
  payloads_.clear();
  Writer body(batch.bytes.data() + before, kBatchBytes - before - sizeof(PayloadNumbers), &payloads_);
  message_.entry->pack(message_, body);
  argument_bytes_ = body.bytes();
  if (!body.fits()) return false;
  finish(batch, argument_bytes_, 0);
  return true;
}

bool MessagePacker::fits_an_empty_batch() const {
  return argument_bytes_ == kUnknown || sizeof(BatchHeader) + bytes_of_header() + argument_bytes_ <= kBatchBytes;
}

void MessagePacker::pack_apart(Batch& batch) {
  payloads_.clear();
  PayloadRecord* body = make_payload(argument_bytes_);
  Writer writer(body->data, body->bytes, &payloads_);
  message_.entry->pack(message_, writer);
  payloads_.push_back(body);
  parts_ |= kLargeBody;
  finish(batch, 0, argument_bytes_);
  release_payload(body);  // the batch holds it now
}

void MessagePacker::finish(Batch& batch, std::size_t argument_bytes, std::size_t body_bytes) {
  if (payloads_.size() > 0xffff) throw UsageError("a message can carry at most 65535 payloads: put more into each");
  if (!payloads_.empty()) parts_ |= kHasPayloads;
  const auto apart = static_cast<std::uint32_t>(payloads_.size());
  WireMessage wire{};
  wire.header = {message_.element,
                 message_.entry->id,
                 message_.collection,
                 static_cast<std::uint32_t>(argument_bytes),
                 static_cast<std::uint16_t>(parts_ & kLargeBody ? apart - 1 : apart),
                 static_cast<std::uint8_t>(message_.flags & (kControlMessage | kBroadcastMessage)),
                 parts_};
  wire.origin = {message_.source, message_.hops};
  wire.reply = message_.reply;
  wire.priority = message_.priority;
  batch.used += static_cast<std::uint32_t>(write_header(batch.bytes.data() + batch.used, wire) + argument_bytes);
  if (apart == 0) return;
  const PayloadNumbers numbers{body_bytes, exchange_.next_payload_counters(apart), 0};
  std::memcpy(batch.bytes.data() + batch.used, &numbers, sizeof numbers);
  batch.used += sizeof numbers;
  for (std::uint32_t i = 0; i < apart; ++i)
    attach(batch, *payloads_[i], (numbers.first + i) & exchange_.payload_counter_mask());
}

void MessagePacker::attach(Batch& batch, PayloadRecord& record, std::uint32_t counter) {
  auto* send = new (exchange_.pool().allocate(sizeof(PayloadSend))) PayloadSend;
  ++record.holders;
  if (record.kind == MemoryKind::device) this_accelerator()->prepare(record);
  send->record = &record;
  send->exchange = &exchange_;
  send->counter = counter;
  batch.payloads.push_back(send);
  batch.payload_bytes += record.bytes;
}

}  // namespace kaon::runtime
