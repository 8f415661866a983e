// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>

#include "kaon/runtime/work/timers.hpp"

namespace kaon::runtime {

/// Tells whether a PE takes more than it can pass on: many of its tasks wait for room elsewhere. It then gives its
/// senders what it owes them little by little: enough for PEs that wait for each other, too little to fill the memory.
class Overload {
 public:
  /// After which one asks again who was told to wait.
  static constexpr std::chrono::milliseconds kPause{1};

  explicit Overload(const Timers& timers) : timers_(timers) {}

  void note_room_wait(int more) { room_waits_ += more; }
  bool is_overloaded() const { return room_waits_ > kMostRoomWaits; }

  bool may_give() { return !is_overloaded() || may_trickle(); }
  bool may_trickle() {
    const Timers::Time now = timers_.now();
    if (now < next_) return false;
    next_ = now + kTrickle;
    return true;
  }

 private:
  static constexpr int kMostRoomWaits = 64;
  static constexpr std::chrono::milliseconds kTrickle{20};

  const Timers& timers_;
  int room_waits_ = 0;
  Timers::Time next_{};
};

}  // namespace kaon::runtime
