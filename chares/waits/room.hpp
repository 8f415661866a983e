// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "kaon/runtime/exchange/backpressure.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/work/awaitable.hpp"

namespace kaon::chares {

/// The wait until a PE has taken what this one sent to it.
class RoomWait {
 public:
  static constexpr bool kIsCounted = true, kIsFromOutside = false;  // who has room goes on to send
  RoomWait(Pe& pe, PeId to) : pe_(pe), to_(to) {}
  bool is_ready() const { return !pe_.backpressure().is_congested(to_); }
  bool start(Waiter& waiter) {
    pe_.backpressure().await_room(to_, waiter);
    note(1);
    return false;
  }
  void give_up(Waiter& waiter) noexcept {
    pe_.backpressure().forget_waiter(to_, waiter);
    note(-1);
  }
  void take() noexcept {
    if (is_noted_) note(-1);
  }
  std::string describe() const { return "for PE " + std::to_string(to_) + " to take what was sent to it"; }

 private:
  // A PE that waits for itself can pass on what it takes.
  void note(int more) {
    is_noted_ = more > 0;
    if (to_ != pe_.id()) pe_.overload().note_room_wait(more);
  }

  Pe& pe_;
  PeId to_;
  bool is_noted_ = false;
};

}  // namespace kaon::chares
