// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/outbox.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/entry_table.hpp"

namespace kaon::runtime {
namespace {

constexpr std::size_t kPayloadBytesOfCredit = std::size_t{1} << 20;
constexpr int kMostOvertakers = 64;

constexpr std::size_t kHeavyBytes = std::size_t{64} << 10;  // of a message: what small ones part from

std::size_t bytes_held(const Message& message) {
  const EntryRecord& entry = *message.entry;
  return entry.is_plain || entry.bytes_held == nullptr ? 0 : entry.bytes_held(message);
}
bool is_bulk(const Batch& batch) { return batch.payload_bytes >= kMostPayloadBytesOfBatch; }

[[noreturn]] void throw_no_room(const OutboxContext& context, PeId to) {
  throw OutOfMemory("PE " + std::to_string(context.packing.sender) + " holds " +
                    std::to_string(context.waiting.bytes() >> 20) +
                    " MiB of messages that others are too slow to take, most lately PE " + std::to_string(to) +
                    ": await ready() before sending, or raise --queue-limit-mib");
}

}  // namespace

Outbox::Outbox(OutboxContext& context, PeId to, int credits)
    : context_(context),
      to_(to),
      credits_(static_cast<std::uint16_t>(credits)),
      window_(static_cast<std::uint16_t>(credits)) {
  teller_.outbox = this;
  teller_.priority = std::numeric_limits<std::int32_t>::min();  // who waits has waited long enough
  teller_.run = [](Work& self, Pe& pe) { static_cast<Teller&>(self).outbox->tell_waiters(pe); };
}

Outbox::~Outbox() {
  for (Batch* filling : filling_)
    if (filling != nullptr) recycle(*filling);
  for (WorkList* waiting : {&waiting_, &waiting_bulk_})
    while (Work* batch = waiting->take()) recycle(static_cast<Batch&>(*batch));
}

void Outbox::append(Message& message) {
  const Lane lane = message.flags & kControlMessage ? Lane::control : Lane::data;
  MessagePacker packer(context_.packing, to_, message);  // releases it, also when something throws
  if (lane == Lane::data) {
    if (context_.waiting.is_full() && needs_room(message)) [[unlikely]]
      throw_no_room(context_, to_);
    part_from(message);
  }
  if (!packer.pack_into(batch_for(lane))) {
    close(lane);
    if (!packer.fits_an_empty_batch() || !packer.pack_into(batch_for(lane))) packer.pack_apart(batch_for(lane));
  }
  if (batch_for(lane).payload_bytes >= kMostPayloadBytesOfBatch) close(lane);
  mark_dirty();
}

/// Of what is being filled, where it would wait with the message although only one of them is heavy.
void Outbox::part_from(const Message& message) {
  Batch* const batch = filling_[static_cast<std::size_t>(Lane::data)];
  if (batch == nullptr || batch->is_empty()) return;
  const std::size_t bytes = bytes_held(message);
  if ((batch->payload_bytes >= kHeavyBytes) == (bytes >= kHeavyBytes)) return;
  const bool leaves = may_leave(*batch);
  if (leaves && bytes < kMostPayloadBytesOfBatch) return;
  filling_[static_cast<std::size_t>(Lane::data)] = nullptr;
  leaves ? submit(*batch) : wait(*batch);
}

void Outbox::mark_dirty() {
  if (is_dirty_) return;
  is_dirty_ = true;
  context_.dirty.push_back(this);
}

Batch& Outbox::batch_for(Lane lane) {
  Batch*& filling = filling_[static_cast<std::size_t>(lane)];
  if (filling != nullptr) return *filling;
  Batch& batch = context_.batches.take();
  batch.outbox = this;
  batch.lane = lane;
  batch.run = [](Work& self, Pe&) { static_cast<Batch&>(self).outbox->recycle(static_cast<Batch&>(self)); };
  filling = &batch;
  return batch;
}

void Outbox::flush() {
  is_dirty_ = false;
  close(Lane::control);
  close(Lane::data);
}

void Outbox::close(Lane lane) {
  Batch*& filling = filling_[static_cast<std::size_t>(lane)];
  if (lane == Lane::control && must_return_credits_) (void)batch_for(lane);  // perhaps a header alone
  const bool is_needed_empty = lane == Lane::control && must_return_credits_;
  if (filling == nullptr || (filling->is_empty() && !is_needed_empty)) return;
  if (lane == Lane::data && !may_leave(*filling)) {
    context_.is_held_back = true;
    // goes on filling until it is full, so that what waits is packed densely
    if (filling->used < kBatchBytes / 2 && !is_bulk(*filling)) return;
    return wait(*std::exchange(filling, nullptr));
  }
  submit(*std::exchange(filling, nullptr));
}

void Outbox::submit(Batch& batch) {
  const std::uint8_t used = batch.lane == Lane::data ? cost(batch) : 0;
  overtakers_ = is_bulk(batch) || waiting_bulk_.empty() ? 0 : overtakers_ + used;
  credits_ = static_cast<std::uint16_t>(credits_ - used);
  must_return_credits_ = false;
  const BatchHeader header{context_.secret, context_.packing.sender, context_.network.epoch, used,
                           std::exchange(owed_, std::uint16_t{0})};
  std::memcpy(batch.bytes.data(), &header, sizeof header);
  // What is carried takes longer than the batch, and waits nowhere.
  std::erase_if(batch.payloads, [this](PayloadSend* send) {
    const bool is_carried = send->route == Route::carried;
    if (is_carried) context_.transfers.start(*send, to_);
    return is_carried;
  });
  // The batch goes before the others: its receiver can then have posted a receive when the payload comes, which need
  // not wait in a buffer of the network's (64 KiB: 6 us instead of 30).
  const bool is_sent = context_.network.port->send_batch(to_, batch.lane, {batch.bytes.data(), batch.used}, batch);
  for (PayloadSend* send : batch.payloads) context_.transfers.start(*send, to_);
  batch.payloads.clear();
  if (is_sent) return recycle(batch);
  context_.is_held_back = true;
}

void Outbox::recycle(Batch& batch) {
  for (PayloadSend* send : batch.payloads) context_.transfers.end(*send);  // it goes without having been sent
  batch.payloads.clear();
  context_.batches.give_back(batch);
}

void Outbox::wait(Batch& batch) {
  if (is_bulk(batch) && waiting_bulk_.empty()) overtakers_ = 0;
  (is_bulk(batch) ? waiting_bulk_ : waiting_).add(batch);
  waiting_bytes_ += batch.weight();
  context_.waiting.add(batch.weight());
}

bool Outbox::send_first(WorkList& waiting) {
  if (waiting.empty() || !has_credits_for(static_cast<const Batch&>(*waiting.first()))) return false;
  auto& batch = static_cast<Batch&>(*waiting.take());
  waiting_bytes_ -= batch.weight();
  context_.waiting.remove(batch.weight());
  submit(batch);
  return true;
}

void Outbox::send_waiting() {
  while (send_first(waiting_) || send_first(waiting_bulk_)) {
  }
}

// Three of the largest batches may be under way, so that one can be on the network while another is being run.
std::uint8_t Outbox::cost(const Batch& batch) const {
  const auto most = static_cast<std::size_t>(std::clamp(quarter(), 1, 255));
  return static_cast<std::uint8_t>(std::clamp<std::size_t>(batch.payload_bytes / kPayloadBytesOfCredit, 1, most));
}

bool Outbox::has_credits_for(const Batch& batch) const {
  if (is_bulk(batch)) return credits_ >= cost(batch) + quarter();
  return credits_ >= 1 && (waiting_bulk_.empty() || overtakers_ < kMostOvertakers);
}

bool Outbox::may_leave(const Batch& batch) const {
  return (is_bulk(batch) ? waiting_bulk_ : waiting_).empty() && has_credits_for(batch);
}

void Outbox::credits_returned(unsigned credits) {
  if (credits == 0) return;
  if (credits > window_ || credits_ + credits > window_)
    throw CorruptMessage("PE " + std::to_string(to_) + " returned more credits than its batches have used");
  credits_ = static_cast<std::uint16_t>(credits_ + credits);
  send_waiting();
  if (const Batch* filling = filling_[0]; filling != nullptr && !filling->is_empty()) mark_dirty();
  if (is_congested()) return;
  if (!waiters_.empty() && !std::exchange(is_telling_, true)) context_.scheduler.enqueue(teller_);
}

void Outbox::tell_waiters(Pe& pe) {
  is_telling_ = false;
  while (!is_congested() && !waiters_.empty()) {
    Work& waiter = *waiters_.take();
    waiter.run(waiter, pe);
  }
}

void Outbox::give_back(unsigned credits) {
  owed_ = static_cast<std::uint16_t>(owed_ + credits);
  if (owed_ < window_ / 2) return;
  must_return_credits_ = true;
  mark_dirty();
}

}  // namespace kaon::runtime
