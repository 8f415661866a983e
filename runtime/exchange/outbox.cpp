// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/outbox.hpp"

#include <string>

#include "kaon/runtime/payloads/accelerator.hpp"
#include "kaon/runtime/exchange/credits.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::runtime {

Outbox::Outbox(Pe& from, PeId to, int credits)
    : from_(from), to_(to), credits_(static_cast<unsigned>(credits)), window_(static_cast<unsigned>(credits)) {}

Outbox::~Outbox() {
  for (Batch* filling : filling_)
    if (filling != nullptr) recycle(*filling);
  while (waiting_first_ != nullptr) recycle(*std::exchange(waiting_first_, waiting_first_->next));
}

void Outbox::append(Message& message) {
  struct Release {  // also when packing throws
    Message& message;
    Pe& pe;
    ~Release() { message.entry->destroy(message, pe); }
  } release{message, from_};
  const Lane lane = message.flags & kControlMessage ? Lane::control : Lane::data;
  if (!pack_into(batch_for(lane), message)) {
    close(lane);
    if (!pack_into(batch_for(lane), message)) pack_large(batch_for(lane), message);
  }
  mark_dirty();
}

void Outbox::mark_dirty() {
  if (is_dirty_) return;
  is_dirty_ = true;
  from_.outbox_is_dirty(*this);
}

Outbox::Batch& Outbox::batch_for(Lane lane) {
  Batch*& batch = filling_[static_cast<std::size_t>(lane)];
  if (batch == nullptr) batch = new_batch(lane);
  return *batch;
}

Outbox::Batch* Outbox::new_batch(Lane lane) {
  if (free_ == nullptr) free_ = batches_.emplace_back(std::make_unique<Batch>()).get();
  Batch* batch = std::exchange(free_, free_->next);
  batch->owner = this;
  batch->lane = lane;
  batch->used = sizeof(BatchHeader);
  batch->completed = [](Transfer& self) { static_cast<Batch&>(self).owner->recycle(static_cast<Batch&>(self)); };
  return batch;
}

void Outbox::flush() {
  is_dirty_ = false;
  close(Lane::control);
  close(Lane::data);
}

void Outbox::close(Lane lane) {
  Batch*& filling = filling_[static_cast<std::size_t>(lane)];
  if (filling == nullptr || filling->used == sizeof(BatchHeader)) return;
  if (lane == Lane::data && credits_ == 0) {
    // goes on filling until it is full, so that what waits is packed densely
    if (filling->used < kBatchBytes / 2) return;
    return wait(*std::exchange(filling, nullptr));
  }
  submit(*std::exchange(filling, nullptr));
}

void Outbox::submit(Batch& batch) {
  if (batch.lane == Lane::data) --credits_;
  const BatchHeader header{from_.id(), from_.process().epoch(), static_cast<std::uint16_t>(std::exchange(owed_, 0))};
  std::memcpy(batch.bytes.data(), &header, sizeof header);
  // The batch goes first: its receiver can then have posted a receive when the payload comes, which need not wait in a
  // buffer of the network's (64 KiB: 6 us instead of 30).
  const bool is_sent = from_.port()->send_batch(to_, batch.lane, {batch.bytes.data(), batch.used}, batch);
  for (PayloadSend* send : batch.payloads) submit_payload(*send);
  batch.payloads.clear();
  if (is_sent) recycle(batch);
}

void Outbox::submit_payload(PayloadSend& send) {
  send.completed = [](Transfer& self) {
    auto& done = static_cast<PayloadSend&>(self);
    release_payload(done.record);
    done.pe->pool().release(&done, sizeof(PayloadSend));
  };
  if (send.record->kind == MemoryKind::host) from_.transfers().add(Path::host, send.record->bytes);
  const bool is_sent = send.record->kind == MemoryKind::device
                           ? from_.accelerator().send(to_, send.counter, *send.record, send)
                           : from_.port()->send_payload(to_, send.counter, send.record->memory(), send);
  if (is_sent) send.completed(send);
}

void Outbox::recycle(Batch& batch) {
  for (PayloadSend* send : batch.payloads) {  // only when the outbox goes without having sent it
    release_payload(send->record);
    from_.pool().release(send, sizeof(PayloadSend));
  }
  batch.payloads.clear();
  batch.next = free_;
  free_ = &batch;
}

void Outbox::wait(Batch& batch) {
  batch.next = nullptr;
  (waiting_first_ == nullptr ? waiting_first_ : waiting_last_->next) = &batch;
  waiting_last_ = &batch;
  std::size_t bytes = sizeof(Batch);
  for (const PayloadSend* send : batch.payloads) bytes += send->record->bytes;
  waiting_bytes_ += bytes;
  from_.queued_bytes += bytes;
  if (from_.queued_bytes > from_.queue_limit)
    throw OutOfMemory("PE " + std::to_string(from_.id()) + " holds " + std::to_string(from_.queued_bytes >> 20) +
                      " MiB of messages that others are too slow to take, most lately PE " + std::to_string(to_) +
                      ": await ready() before sending, or raise --queue-limit-mib");
}

void Outbox::send_waiting() {
  while (credits_ > 0 && waiting_first_ != nullptr) {
    Batch& batch = *std::exchange(waiting_first_, waiting_first_->next);
    std::size_t bytes = sizeof(Batch);
    for (const PayloadSend* send : batch.payloads) bytes += send->record->bytes;
    waiting_bytes_ -= bytes;
    from_.queued_bytes -= bytes;
    submit(batch);
  }
}

void Outbox::credits_returned(unsigned batches) {
  if (batches == 0) return;
  credits_ += batches;
  if (credits_ > window_)
    throw CorruptMessage("PE " + std::to_string(to_) + " returned more credits than it was sent batches");
  send_waiting();
  if (waiting_first_ != nullptr) return;
  if (Batch* filling = filling_[0]; filling != nullptr && filling->used > sizeof(BatchHeader)) mark_dirty();
  for (Work* waiter : std::exchange(drained_, {})) from_.enqueue(*waiter);
}

void Outbox::batch_taken() {
  if (++owed_ >= window_ / 2) send_credits(from_, to_);  // the batch that carries this says how many
}

void Outbox::forget_waiter(Work& waiter) { std::erase(drained_, &waiter); }

}  // namespace kaon::runtime
