// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/runtime/base/pe_id.hpp"
#include "kaon/runtime/exchange/local_room.hpp"

namespace kaon::runtime {

class Exchange;
class Neighbours;

/// How PEs that take messages more slowly than this one sends them hold it back, wherever they are: itself, a PE of its
/// process or one of another.
class Backpressure {
 public:
  /// Of the process are `count` PEs from `first` on.
  Backpressure(Scheduler& here, Neighbours& neighbours, PeId first, PeId count, Exchange& exchange)
      : here_(here.id()), first_(first), count_(count), own_(here), neighbours_(neighbours), exchange_(exchange) {}
  Backpressure(const Backpressure&) = delete;
  Backpressure& operator=(const Backpressure&) = delete;

  /// Whether what was sent to a PE waits for it to take earlier messages.
  bool is_congested(PeId to);
  /// Resumed when that is not so any more, or not as much.
  void await_room(PeId to, Waiter& waiter);
  void forget_waiter(PeId to, Waiter& waiter);

 private:
  bool is_of_process(PeId to) const { return to - first_ < count_; }

  PeId here_, first_, count_;
  LocalRoom own_;
  Neighbours& neighbours_;
  Exchange& exchange_;
};

}  // namespace kaon::runtime
