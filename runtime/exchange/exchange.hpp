// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kaon/runtime/archive/bulk.hpp"
#include "kaon/runtime/exchange/arrivals.hpp"
#include "kaon/runtime/exchange/backlog.hpp"
#include "kaon/runtime/exchange/batch_store.hpp"
#include "kaon/runtime/exchange/exchange_setup.hpp"
#include "kaon/runtime/exchange/outbox.hpp"
#include "kaon/runtime/exchange/payload_fetch.hpp"
#include "kaon/runtime/messages/collection_table.hpp"
#include "kaon/runtime/messages/running_entry.hpp"
#include "kaon/runtime/payloads/accelerator.hpp"
#include "kaon/runtime/payloads/transfer_report.hpp"
#include "kaon/runtime/ports/machine.hpp"
#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::runtime {

/// The network half of a PE: messages and payloads to and from PEs of other processes. It is the client of its port.
/// Driven by the PE's thread.
class Exchange final : public PortClient {
 public:
  Exchange(Pe& pe, Scheduler& scheduler, CollectionTable& collections, RunningEntry& running,
           const ExchangeSetup& setup);
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange();

  void open(Machine& machine);
  void attach(Accelerator* accelerator) { accelerator_ = accelerator; }
  /// As those of Accelerator.
  void give_all_held() {
    if (accelerator_ != nullptr) accelerator_->give_all_held();
  }
  void give_held(bool more_may_come) {
    if (accelerator_ != nullptr) accelerator_->give_held(more_may_come);
  }
  /// What is under way is given up; nothing comes any more, and nothing leaves.
  void close() { port_.reset(); }
  bool is_closed() const { return port_ == nullptr; }
  /// Releases what has not left and what was not complete; after close().
  void clear();
  Port* port() { return port_.get(); }
  /// After a rollback: what was sent in earlier epochs is dropped from now on, also what has come in part.
  void begin_epoch(std::uint8_t epoch);
  std::uint8_t epoch() const { return epoch_; }

  /// Takes a message for a PE of another process. It leaves at the next flush, or when its batch is full.
  void send(Message& message, PeId to) { outbox(to).append(message); }
  /// Lets all that was sent leave, as far as there are credits.
  void flush();
  bool has_unsent() const { return !dirty_.empty(); }
  /// Moves what is under way and hands over what came. True when anything happened.
  bool progress();
  /// As progress(), for who waits: no more than a look.
  bool look();
  /// Whether something sent has not left yet.
  bool is_sending() const;
  /// Whether a batch sent since the last progress leaves when that has brought credits or a connection, and not before.
  bool awaits_progress() const { return is_held_back_; }
  /// As Port::arm().
  bool arm() { return (accelerator_ == nullptr || accelerator_->arm()) && (port_ == nullptr || port_->arm()); }
  /// As Accelerator::longest_sleep().
  std::chrono::nanoseconds longest_sleep() const {
    return accelerator_ != nullptr ? accelerator_->longest_sleep() : std::chrono::nanoseconds::max();
  }
  int event_fd() const { return port_ != nullptr ? port_->event_fd() : -1; }

  /// Whether messages to this PE wait for it to take earlier ones, and the wait until none does.
  bool is_congested(PeId to) { return outbox(to).is_congested(); }
  void await_room(PeId to, Waiter& waiter) { outbox(to).await_room(waiter); }
  void forget_waiter(PeId to, Waiter& waiter) { outbox(to).forget_waiter(waiter); }

  /// Receives an announced payload that has its memory, over the port or the accelerator. True: it is here already and
  /// `done` is not used.
  bool receive_payload(PeId from, std::uint32_t counter, PayloadRecord& record, Work& done);

  TransferReport& transfers() { return transfers_; }
  DeferredPayloads& deferred() { return deferred_; }
  Arrivals& arrivals() { return arrivals_; }
  Backlog& backlog() { return backlog_; }
  Outbox& outbox(PeId to);
  std::size_t waiting_bytes() const { return waiting_bytes_; }

  // --- PortClient
  void batch_arrived(Lane lane, std::span<const std::byte> bytes) override;
  void completed(Work& done) override { done.run(done, pe_); }

  // --- for its parts
  Pe& pe() { return pe_; }
  PeId pe_id() const { return scheduler_.id(); }
  Scheduler& scheduler() { return scheduler_; }
  Pool& pool() { return scheduler_.pool(); }
  const CollectionTable& collections() const { return collections_; }
  RunningEntry& running() { return running_; }
  const ExchangeSetup& setup() const { return setup_; }
  bool has_accelerator() const { return accelerator_ != nullptr; }
  BatchStore& batches() { return batches_; }
  std::vector<PayloadRecord*>& scratch() { return scratch_; }
  archive::BulkParts& bulk_scratch() { return bulk_scratch_; }
  void deliver(Message& message) { scheduler_.enqueue(message); }
  void outbox_is_dirty(Outbox& outbox) { dirty_.push_back(&outbox); }
  BatchHeader batch_header(std::uint8_t cost, std::uint16_t credits) const;
  void send_payload(PayloadSend& send, PeId to);
  void end_payload_send(PayloadSend& send);
  /// So many bytes more, or less, wait for others.
  void note_waiting(std::ptrdiff_t bytes) { waiting_bytes_ += static_cast<std::size_t>(bytes); }  // wraps for fewer
  /// A batch waits for credits, or for its connection.
  void note_held_back() { is_held_back_ = true; }
  /// Whether so much waits for others that no more is to be sent.
  bool is_full() const { return waiting_bytes_ > setup_.queue_limit; }
  [[noreturn]] void throw_no_room(PeId to) const;
  std::uint32_t next_payload_counters(std::uint32_t count);
  std::uint32_t payload_counter_mask() const { return payload_counter_mask_; }

 private:
  void check_batch(const BatchHeader& header) const;

  Pe& pe_;
  Scheduler& scheduler_;
  CollectionTable& collections_;
  RunningEntry& running_;
  const ExchangeSetup& setup_;
  std::uint8_t epoch_;
  Accelerator* accelerator_ = nullptr;
  std::unique_ptr<Port> port_;
  BatchStore batches_;
  std::vector<std::unique_ptr<Outbox>> outboxes_;  // by PE; empty until something is sent there
  std::vector<Outbox*> dirty_;
  std::size_t waiting_bytes_ = 0;
  bool is_held_back_ = false;
  std::uint32_t payload_counter_ = 0;
  std::uint32_t payload_counter_mask_;
  std::vector<PayloadRecord*> scratch_;
  archive::BulkParts bulk_scratch_;
  DeferredPayloads deferred_;
  Backlog backlog_;
  Arrivals arrivals_;
  TransferReport transfers_;
};

}  // namespace kaon::runtime
