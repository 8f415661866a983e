// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>
#include <thread>

#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/spin_limit.hpp"

namespace kaon::runtime {

/// How long a PE without work goes on looking for some before it sleeps: for `spin_us`, or, when that is negative, as
/// SpinLimit says. With more PEs than cores not at all, but for a few turns given to others, one of which may be about
/// to send.
class Idling {
 public:
  Idling(double spin_us, bool is_crowded)
      : limit_(std::chrono::nanoseconds(static_cast<std::int64_t>(1e3 * (spin_us >= 0 ? spin_us
                                                                         : is_crowded ? 0
                                                                                      : kSpinUs)))),
        adapts_(spin_us < 0 && !is_crowded),
        yields_(is_crowded ? kYields : 0) {}

  void is_over() { turns_ = 0; }
  /// Same as is_over(), because something came from another PE or a device, while the PE polled or, `has_slept`, slept.
  void came(bool has_slept) {
    const bool is_known = turns_ > yields_ + 1;  // since when it has waited
    if (adapts_ && is_known) limit_.note((has_slept ? Clock::now() : looked_at_) - since_);
    is_over();
  }
  bool may_look_again(Pe& pe) {
    if (++turns_ <= yields_) {
      std::this_thread::yield();
      return true;
    }
    if (turns_ == yields_ + 1) return true;  // what one awaits has often come by the end of this turn
    looked_at_ = Clock::now();
    if (turns_ == yields_ + 2) since_ = looked_at_;
    const auto waited = looked_at_ - since_;
    // A signal from a device takes longer than most of what one waits for from it.
    return waited < limit_.get() || (waited < kSpinForDevice && yields_ == 0 && awaits_device(pe));
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int kYields = 4;
  static constexpr double kSpinUs = 100;
  static constexpr std::chrono::milliseconds kSpinForDevice{10};
  SpinLimit limit_;
  bool adapts_;
  int yields_;
  int turns_ = 0;
  Clock::time_point since_, looked_at_;
};

}  // namespace kaon::runtime
