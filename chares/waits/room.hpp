// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/work/awaitable.hpp"

namespace kaon::chares {

/// The wait until a PE has taken what this one sent to it.
class RoomWait {
 public:
  static constexpr bool kIsCounted = false, kIsFromOutside = false;
  RoomWait(Pe& pe, PeId to) : pe_(pe), to_(to) {}
  bool is_ready() const { return !pe_.is_congested(to_); }
  bool start(Waiter& waiter) {
    pe_.await_room(to_, waiter);
    return false;
  }
  void give_up(Waiter& waiter) noexcept { pe_.forget_waiter(to_, waiter); }
  void take() const noexcept {}
  std::string describe() const { return "for PE " + std::to_string(to_) + " to take what was sent to it"; }

 private:
  Pe& pe_;
  PeId to_;
};

}  // namespace kaon::chares
