// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <chrono>

namespace kaon::gpu {

/// How long a PE with nothing else to do has looked in vain for what nobody wakes it for, as other processes bring it
/// about in memory: for a while it looks without a pause, and then again and again after sleeps, which grow with the
/// time that it has waited so that they make that longer by a small part.
class LookingTime {
 public:
  /// Something was found.
  void is_over() { since_ = {}; }
  /// Before the PE sleeps.
  bool is_long() {
    const Clock::time_point now = Clock::now();
    if (since_ == Clock::time_point{}) since_ = now;
    waited_ = now - since_;
    return waited_ > kWithoutPause;
  }
  std::chrono::nanoseconds longest_sleep() const {
    return since_ == Clock::time_point{} ? std::chrono::nanoseconds::max()
                                         : std::clamp<std::chrono::nanoseconds>(waited_ / 16, kShortest, kLongest);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::microseconds kWithoutPause{1000}, kShortest{50}, kLongest{2000};
  Clock::time_point since_{};
  Clock::duration waited_{};
};

}  // namespace kaon::gpu
