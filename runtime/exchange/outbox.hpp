// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "kaon/runtime/ports/machine.hpp"
#include "kaon/runtime/messages/message.hpp"
#include "kaon/runtime/payloads/payload.hpp"
#include "kaon/runtime/messages/wire.hpp"

namespace kaon::runtime {

class Pe;

/// Messages from one PE to one PE of another process, packed into batches.
///
/// The receiver takes a bounded number of batches without having made room for them, so each data batch uses up a
/// credit, which comes back when the receiver has unpacked it. Without credit, batches wait here: a send never blocks.
/// Control batches go at once. Payloads leave with the batch that announces them, so credits bound them too.
class Outbox {
 public:
  Outbox(Pe& from, PeId to, int credits);
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;
  ~Outbox();

  /// Packs the message and releases it. Throws OutOfMemory when too much waits here.
  void append(Message& message);
  /// Sends what has been packed, as far as credits allow.
  void flush();

  void credits_returned(unsigned batches);
  /// A batch of the peer's has been unpacked: it will be told, with the next batch or by one of its own.
  void batch_taken();

  bool is_congested() const { return waiting_first_ != nullptr; }
  /// Resumed when nothing waits for credits any more.
  void await_drained(Work& waiter) { drained_.push_back(&waiter); }
  void forget_waiter(Work& waiter);
  std::size_t waiting_bytes() const { return waiting_bytes_; }
  PeId to() const { return to_; }

 private:
  struct PayloadSend : Transfer {
    PayloadRecord* record;
    Pe* pe;
    std::uint32_t counter;
  };
  struct Batch : Transfer {
    Batch* next = nullptr;
    Outbox* owner = nullptr;
    std::uint32_t used = sizeof(BatchHeader);
    Lane lane = Lane::data;
    std::vector<PayloadSend*> payloads;
    std::array<std::byte, kBatchBytes> bytes;
  };

  bool pack_into(Batch& batch, const Message& message);
  void pack_large(Batch& batch, const Message& message);
  void finish(Batch& batch, const Message& message, std::uint8_t parts, std::size_t bytes, std::size_t body_bytes);
  void attach(Batch& batch, PayloadRecord& record, std::uint32_t counter);
  Batch& batch_for(Lane lane);
  Batch* new_batch(Lane lane);
  void close(Lane lane);
  void submit(Batch& batch);
  void submit_payload(PayloadSend& send);
  void recycle(Batch& batch);
  void wait(Batch& batch);
  void send_waiting();
  void mark_dirty();

  Pe& from_;
  PeId to_;
  unsigned credits_;
  unsigned window_;
  unsigned owed_ = 0;  // batches taken that the peer has not been told of
  bool is_dirty_ = false;
  std::array<Batch*, 2> filling_{};  // by lane
  Batch* waiting_first_ = nullptr;
  Batch* waiting_last_ = nullptr;
  std::size_t waiting_bytes_ = 0;
  Batch* free_ = nullptr;
  std::vector<std::unique_ptr<Batch>> batches_;  // all of them, wherever they are
  std::vector<PayloadRecord*> scratch_;
  std::vector<Work*> drained_;
};

}  // namespace kaon::runtime
