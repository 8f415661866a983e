// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "kaon/chares/migration/load_report.hpp"

namespace kaon::chares {

/// Measured costs of balancing steps, which decide when the next step comes and whether its moves are worth it. For
/// strategies::automatic().
class StepCosts {
 public:
  /// The call of rebalance() that waits next, counted from the last step.
  std::uint32_t period() const { return period_; }
  /// True if the busiest PE gains more until the next step than `moves` cost. `gain`: seconds that it would have saved
  /// since the last step. Before the first measurement, any gain is enough.
  bool is_worth(double gain, std::size_t moves) const;
  /// A step at the barrier is over.
  void step_ends(const BalanceStep& step, bool may_skip);

 private:
  using Clock = std::chrono::steady_clock;

  std::uint32_t next_period(const BalanceStep& step, double call_seconds) const;

  std::uint32_t period_ = 1;
  double barrier_seconds_ = 0;  // a step without moves
  double move_seconds_ = 0;     // for each moved element, beside that
  Clock::time_point ended_at_{};
};

}  // namespace kaon::chares
