// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kaon/runtime/base/pe_id.hpp"
#include "kaon/runtime/messages/message.hpp"
#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::runtime {

/// Messages of one PE on their way to the other PEs of its process. Those for one PE are handed over together, which
/// costs its cache line once. Few are handed over as they are. Of many, those whose arguments are plain bytes are
/// copied side by side into bundles, so that the receiver reads dense lines that nobody writes again, instead of
/// touching the sender's memory message by message and sending it home.
///
/// Flow control is by receipts: from time to time one follows the messages, is run behind them by the receiver, and
/// comes home. While all are out, the receiver has too much to do.
class Neighbours {
 public:
  /// `schedulers` are all of the process, by number. Throws OutOfMemory in send() when a neighbour has `limit` bytes
  /// yet to take.
  Neighbours(Scheduler& here, Scheduler* const* schedulers, PeId count, std::size_t limit);
  Neighbours(const Neighbours&) = delete;
  Neighbours& operator=(const Neighbours&) = delete;

  /// Takes the message.
  void send(Message& message, PeId to);
  bool has_unsent() const { return !unsent_.empty(); }
  void flush();

  bool is_congested(PeId to) const { return neighbours_[to] != nullptr && neighbours_[to]->receipts_out == kReceipts; }
  /// Resumed when it has taken some of what it was sent.
  void await_room(PeId to, Waiter& waiter) { neighbour(to).waiters.add(waiter); }
  void forget_waiter(PeId to, Waiter& waiter) { neighbour(to).waiters.remove(waiter); }

  /// Removes and returns the messages that have not been handed over; each list is linked by `next`.
  std::vector<Work*> clear();

 private:
  static constexpr std::uint32_t kReceipts = 8;
  // What one receipt stands for: so many messages, or so many bytes of them and their payloads.
  static constexpr std::uint32_t kMessagesOfReceipt = 256;
  static constexpr std::size_t kBytesOfReceipt = std::size_t{1} << 20;
  static constexpr std::uint32_t kWeighedOneIn = 16;  // of messages that are not plain bytes
  static constexpr std::uint32_t kMany = 4;           // plain messages that are worth a bundle

  class ReceiptMarker;
  struct Receipt : Work {
    Neighbours* owner = nullptr;
    PeId to = 0;
    bool is_out = false;
    bool is_held = false;     // by the receiver, which is overloaded; touched by its thread only
    std::int32_t behind = 0;  // the priority of the message that it follows
    std::size_t bytes = 0;
  };
  struct Neighbour {
    Work* newest = nullptr;  // of what waits to be handed over, linked towards the oldest
    Work* oldest = nullptr;
    std::uint32_t plain = 0;          // messages among it
    std::uint32_t since_receipt = 0;  // messages
    std::uint32_t receipts_out = 0;
    std::uint32_t heavy_messages = 0;  // sent, that are not plain bytes
    std::size_t heavy_bytes = 0;       // of such a message, by the latest that was weighed
    std::size_t bytes_since_receipt = 0;
    std::size_t bytes_out = 0;
    WorkList waiters;
    std::array<Receipt, kReceipts> receipts;
  };

  Neighbour& neighbour(PeId to) {
    if (neighbours_[to] == nullptr) [[unlikely]]
      meet(to);
    return *neighbours_[to];
  }
  void meet(PeId to);
  void add(Neighbour& neighbour, Work& work);
  std::size_t weigh(Neighbour& neighbour, const Message& message);
  void send_receipt(Neighbour& neighbour, std::int32_t priority);
  static void stand_behind(Work& self, Pe& pe);
  static void come_home(Work& self, Pe& pe);
  static void is_home(Work& self, Pe& pe);
  [[noreturn]] void throw_too_much(const Neighbour& neighbour, PeId to) const;

  Scheduler& here_;
  Scheduler* const* schedulers_;
  std::size_t limit_;
  std::vector<std::unique_ptr<Neighbour>> neighbours_;  // each from the first message to it on
  std::vector<PeId> unsent_;                            // those to whom something waits to be handed over
};

}  // namespace kaon::runtime
