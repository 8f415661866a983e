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
  /// The PEs of this process have the numbers from `first` to `first + count - 1`.
  Backpressure(Scheduler& here, Neighbours& neighbours, PeId first, PeId count, Exchange& exchange)
      : here_(here.id()), first_(first), count_(count), own_(here), neighbours_(neighbours), exchange_(exchange) {}
  Backpressure(const Backpressure&) = delete;
  Backpressure& operator=(const Backpressure&) = delete;

  /// True if messages sent to a PE have to wait until it takes earlier ones.
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
