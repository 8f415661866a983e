// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>

#include "kaon/runtime/work/timers.hpp"

namespace kaon::runtime {

/// Whether a PE takes more than it can pass on: many of its tasks wait for room elsewhere. What it owes to those who
/// send to it is then given by and by: enough that PEs which wait for each other go on, too little to fill the memory.
class Overload {
 public:
  /// After which one asks again who was told to wait.
  static constexpr std::chrono::milliseconds kPause{1};

  void note_room_wait(int more) { room_waits_ += more; }
  bool is_overloaded() const { return room_waits_ > kMostRoomWaits; }

  bool may_give() { return !is_overloaded() || may_trickle(); }
  bool may_trickle() {
    const Clock::time_point now = Clock::now();
    if (now < next_) return false;
    next_ = now + kTrickle;
    return true;
  }

 private:
  using Clock = Timers::Clock;
  static constexpr int kMostRoomWaits = 64;
  static constexpr std::chrono::milliseconds kTrickle{20};

  int room_waits_ = 0;
  Clock::time_point next_{};
};

}  // namespace kaon::runtime
