// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>

#include "kaon/gpu/device/stream_state.hpp"
#include "kaon/gpu/kernels/flag_device.hpp"

namespace kaon::gpu {

/// The rounds that a partner of this PE has given to streams, and where. His host may be many rounds before them.
class GivenRounds {
 public:
  std::uint32_t last() const { return last_; }
  /// True if all rounds given are known to be done.
  bool are_done() const { return places_.empty() || places_.back().is_known_reached(); }
  /// The next one is the one after this, before which all have been done.
  void begin_after(std::uint32_t round) {
    last_ = round;
    places_.clear();
  }
  void add(std::uint32_t round, Position position) {
    last_ = round;
    places_.push_back(position);
  }
  /// Nowhere for round 0. Rounds before this one are not asked for again.
  Position place_of(std::uint32_t round) {
    const std::uint32_t first = last_ - static_cast<std::uint32_t>(places_.size()) + 1;
    if (places_.empty() || !FlagWord::is_reached(round, first)) return {};
    places_.erase(places_.begin(), places_.begin() + (round - first));
    return places_.front();
  }

 private:
  std::uint32_t last_ = 0;
  std::deque<Position> places_;  // up to that one
};

}  // namespace kaon::gpu
