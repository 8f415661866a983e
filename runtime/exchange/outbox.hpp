// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kaon/runtime/base/pe_id.hpp"
#include "kaon/runtime/exchange/batch_store.hpp"
#include "kaon/runtime/exchange/message_packer.hpp"
#include "kaon/runtime/exchange/network_end.hpp"
#include "kaon/runtime/exchange/payload_transfers.hpp"
#include "kaon/runtime/exchange/waiting_bytes.hpp"
#include "kaon/runtime/messages/message.hpp"
#include "kaon/runtime/work/scheduler.hpp"
#include "kaon/runtime/work/waiter.hpp"

namespace kaon::runtime {

class Outbox;

/// The state that the outboxes of a PE share.
struct OutboxContext {
  Scheduler& scheduler;  // of the tasks that wait for room
  NetworkEnd& network;
  PayloadTransfers& transfers;
  std::uint64_t secret;  // of the run
  BatchStore batches;
  WaitingBytes waiting;
  std::vector<Outbox*> dirty;  // to be flushed
  bool is_held_back = false;   // a batch waits for credits, or for its connection
  PackerContext packing;
};

/// Messages from one PE to one PE of another process, packed into batches.
///
/// The receiver takes a bounded number of batches without having made room for them, so each data batch uses up a
/// credit, and more of them the more payload it announces, which come back when the receiver has taken it (Backlog).
/// Without credit, batches wait here: a send never blocks. Control batches go at once. Payloads leave with the batch
/// that announces them, so credits bound them too.
///
/// Bulk batches, which announce much payload, leave a quarter of the window to the others, and these overtake those
/// that wait: an answer need not wait until all that its sender sends itself has been taken. Some overtake, not all for
/// ever. So that small messages do not wait in a bulk batch, the two part where one of them would have to wait.
class Outbox {
 public:
  Outbox(OutboxContext& context, PeId to, int credits);
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;
  ~Outbox();

  /// Packs the message and releases it, at once or when its large arguments have left. Throws OutOfMemory when too much
  /// waits here.
  void append(Message& message);
  /// Sends what has been packed, as far as credits allow.
  void flush();

  void credits_returned(unsigned credits);
  /// Returns credits to the peer for batches that were taken: with the next batch to it, or by a batch of their own.
  void give_back(unsigned credits);

  bool is_congested() const { return !waiting_.empty() || !waiting_bulk_.empty(); }
  /// Resumed when nothing waits for credits any more; of several one after the other, as each may fill the room.
  void await_room(Waiter& waiter) { waiters_.add(waiter); }
  void forget_waiter(Waiter& waiter) { waiters_.remove(waiter); }
  std::size_t waiting_bytes() const { return waiting_bytes_; }
  PeId to() const { return to_; }

 private:
  struct Teller : Work {
    Outbox* outbox;
  };
  void part_from(const Message& message);
  Batch& batch_for(Lane lane);
  void close(Lane lane);
  void submit(Batch& batch);
  void recycle(Batch& batch);
  void wait(Batch& batch);
  void send_waiting();
  bool send_first(WorkList& waiting);
  /// A quarter of the window: bulk batches leave this many credits to others, and none costs more. Both together need
  /// at most half the window, and a peer owes less than half for as long as it sends nothing (see give_back()).
  int quarter() const { return window_ / 4; }
  std::uint8_t cost(const Batch& batch) const;
  /// True if credits allow the batch to leave; may_leave() also checks that no batch of its kind waits before it.
  bool has_credits_for(const Batch& batch) const;
  bool may_leave(const Batch& batch) const;
  void mark_dirty();
  void tell_waiters(Pe& pe);

  OutboxContext& context_;
  PeId to_;
  std::uint16_t credits_;
  std::uint16_t window_;
  int overtakers_ = 0;      // batches that have left since a bulk batch began to be the first to wait
  std::uint16_t owed_ = 0;  // credits of the peer's that it has not been given back
  bool is_dirty_ = false;
  bool must_return_credits_ = false;  // at the next flush, by a header alone if need be
  std::array<Batch*, 2> filling_{};   // by lane
  WorkList waiting_;                  // batches, for credits
  WorkList waiting_bulk_;             // as those
  std::size_t waiting_bytes_ = 0;
  WorkList waiters_;
  Teller teller_;  // tells them
  bool is_telling_ = false;
};

}  // namespace kaon::runtime
