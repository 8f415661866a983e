// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>
#include <thread>

#include "kaon/runtime/pe/pe.hpp"

namespace kaon::runtime {

/// How long a PE without work goes on looking for some before it sleeps. With more PEs than cores not at all, but for a
/// few turns given to others, one of which may be about to send.
class Idling {
 public:
  Idling(double spin_us, bool is_crowded)
      : spin_(std::chrono::nanoseconds(static_cast<std::int64_t>(1e3 * (spin_us >= 0 ? spin_us
                                                                        : is_crowded ? 0
                                                                                     : 100)))),
        yields_(is_crowded ? kYields : 0) {}

  void is_over() { turns_ = 0; }
  bool may_look_again(const Pe& pe) {
    if (++turns_ <= yields_) {
      std::this_thread::yield();
      return true;
    }
    if (turns_ == yields_ + 1) return true;  // what one awaits has often come by the end of this turn
    const Clock::time_point now = Clock::now();
    if (turns_ == yields_ + 2) since_ = now;
    const auto waited = now - since_;
    // A signal from a device takes longer than most of what one waits for from it.
    return waited < spin_ || (waited < kSpinForDevice && yields_ == 0 && pe.awaits_device());
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int kYields = 4;
  static constexpr std::chrono::milliseconds kSpinForDevice{10};
  std::chrono::nanoseconds spin_;
  int yields_;
  int turns_ = 0;
  Clock::time_point since_;
};

}  // namespace kaon::runtime
