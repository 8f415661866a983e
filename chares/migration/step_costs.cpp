// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/migration/step_costs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace kaon::chares {
namespace {

constexpr std::uint32_t kMostCalls = 1024;
constexpr double kShare = 0.02;  // of the time of a program that steps which move nothing may take

/// The newer of two, mostly: machines change, and single values err.
double mixed(double known, double measured) { return known == 0 ? measured : 0.5 * known + 0.5 * measured; }

}  // namespace

bool StepCosts::is_worth(double gain, std::size_t moves) const {
  if (moves == 0 || gain <= 0) return false;
  return gain > move_seconds_ * static_cast<double>(moves);  // the next interval is about as long as the last one
}

void StepCosts::step_ends(const BalanceStep& step, bool may_skip) {
  if (step.moved == 0)
    barrier_seconds_ = mixed(barrier_seconds_, step.taken_seconds);
  else
    move_seconds_ =
        mixed(move_seconds_, std::max(step.taken_seconds - barrier_seconds_, 0.0) / static_cast<double>(step.moved));
  const Clock::time_point now = Clock::now();
  const double between = std::chrono::duration<double>(now - std::exchange(ended_at_, now)).count();
  const double call_seconds = std::max(between - step.taken_seconds, 0.0) / static_cast<double>(period_);
  period_ = may_skip ? next_period(step, call_seconds) : 1;
}

// Sooner where elements had to move, later where nothing was to be gained, and never so often that looking takes more
// than its share.
std::uint32_t StepCosts::next_period(const BalanceStep& step, double call_seconds) const {
  const double known = barrier_seconds_ > 0 ? barrier_seconds_ : step.taken_seconds;
  const double least = call_seconds > 0 ? std::ceil(known / (kShare * call_seconds)) : 1;
  const auto floor = static_cast<std::uint32_t>(std::clamp(least, 1.0, static_cast<double>(kMostCalls)));
  const std::uint32_t wanted = step.moved > 0 ? period_ / 2 : 2 * period_;
  return std::clamp(std::max(wanted, floor), 1u, kMostCalls);
}

}  // namespace kaon::chares
