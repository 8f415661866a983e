// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/message_packer.hpp"

#include <cstring>

#include "kaon/runtime/archive/archive.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/entry_table.hpp"

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

/// A message whose large arguments are being sent from where they are.
struct MessageInUse {
  Message& message;
  Pool& pool;
  std::size_t parts;
};

class ArgumentMemory final : public PayloadOwner {
 public:
  void release(PayloadRecord& record) noexcept override {
    auto& used = *static_cast<MessageInUse*>(record.keeper);
    if (--used.parts > 0) return;
    Pool& pool = used.pool;
    used.message.entry->destroy(used.message, pool);
    pool.release(&used, sizeof(MessageInUse));
  }
};

ArgumentMemory argument_memory;

}  // namespace

MessagePacker::MessagePacker(PackerContext& context, PeId to, Message& message)
    : context_(context),
      to_(to),
      message_(&message, {&context.pool}),
      payloads_(context.payloads),
      bulk_(context.bulk),
      parts_(parts_of(message, context.sender)),
      argument_bytes_(kUnknown) {}

// A post rule may look at the arguments before payloads are here, so with one they all stand in the bytes.
std::size_t MessagePacker::pack(std::byte* to, std::size_t capacity) {
  payloads_.clear();
  bulk_.parts.clear();
  Writer out(to, capacity, &payloads_, message_->entry->post == nullptr ? &bulk_ : nullptr, to_);
  message_->entry->pack(*message_, out);
  return out.bytes();
}

std::size_t MessagePacker::bytes_of_header() const { return header_bytes(parts_) + sizeof(PayloadNumbers); }

bool MessagePacker::pack_into(Batch& batch) {
  const std::size_t before = batch.used + header_bytes(parts_);
  if (before + sizeof(PayloadNumbers) > kBatchBytes) return false;
  const std::size_t room = kBatchBytes - before - sizeof(PayloadNumbers);
  argument_bytes_ = pack(batch.bytes.data() + before, room);
  if (argument_bytes_ > room) return false;
  finish(batch, argument_bytes_, 0);
  return true;
}

bool MessagePacker::fits_an_empty_batch() const {
  return argument_bytes_ == kUnknown || sizeof(BatchHeader) + bytes_of_header() + argument_bytes_ <= kBatchBytes;
}

void MessagePacker::pack_apart(Batch& batch) {
  const OwnedPayload body(make_payload(argument_bytes_));  // the batch holds it, too, when it is attached
  pack(body->data, body->bytes);
  payloads_.push_back(body.get());
  parts_ |= kLargeBody;
  finish(batch, 0, argument_bytes_);
}

void MessagePacker::finish(Batch& batch, std::size_t argument_bytes, std::size_t body_bytes) {
  if (payloads_.size() > 0xffff) throw UsageError("a message can carry at most 65535 payloads: put more into each");
  if (!payloads_.empty()) parts_ |= kHasPayloads;
  const auto apart = static_cast<std::uint32_t>(payloads_.size());
  WireMessage wire{};
  wire.header = {message_->element,
                 message_->entry->id,
                 message_->collection,
                 static_cast<std::uint32_t>(argument_bytes),
                 static_cast<std::uint16_t>(parts_ & kLargeBody ? apart - 1 : apart),
                 static_cast<std::uint8_t>(message_->flags & (kControlMessage | kBroadcastMessage | kContinuation)),
                 parts_};
  wire.origin = {message_->source, message_->hops};
  wire.reply = message_->reply;
  wire.priority = message_->priority;
  batch.used += static_cast<std::uint32_t>(write_header(batch.bytes.data() + batch.used, wire) + argument_bytes);
  if (apart == 0) return;
  if (!bulk_.parts.empty()) make_bulk_records();
  PayloadTransfers& transfers = context_.transfers;
  const PayloadNumbers numbers{body_bytes, transfers.counters().take(apart), 0};
  std::memcpy(batch.bytes.data() + batch.used, &numbers, sizeof numbers);
  batch.used += sizeof numbers;
  for (std::uint32_t i = 0; i < apart; ++i) {
    batch.payloads.push_back(&transfers.make_send(*payloads_[i], to_, transfers.counters().at(numbers.first, i)));
    batch.payload_bytes += payloads_[i]->bytes;
    if (payloads_[i]->owner == &argument_memory) release_payload(payloads_[i]);  // the batch holds it now
  }
}

// From here on the message belongs to its parts.
void MessagePacker::make_bulk_records() {
  Pool& pool = context_.pool;
  Message& message = *message_.release();
  auto* used = new (pool.allocate(sizeof(MessageInUse))) MessageInUse{message, pool, bulk_.parts.size()};
  auto part = bulk_.parts.begin();
  for (PayloadRecord*& record : payloads_) {
    if (record != nullptr) continue;
    record = adopt_payload(part->data, part->bytes, argument_memory, used);
    ++part;
  }
}

}  // namespace kaon::runtime
