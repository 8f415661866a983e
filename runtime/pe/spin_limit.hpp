// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <chrono>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// How long a PE without work looks for some before it sleeps. Who sleeps is reached 20 to 30 us later than who looks;
/// so where what was awaited came within milliseconds lately, a PE looks for twice as long as that took.
class SpinLimit {
 public:
  using Duration = std::chrono::nanoseconds;

  explicit SpinLimit(Duration least) : least_(least) {}

  Duration get() const { return expected_ <= kMostExpected ? std::max(least_, 2 * expected_) : least_; }
  /// So long it took this time until something came.
  void note(Duration took) { expected_ = (3 * expected_ + std::min(took, kLong)) / 4; }

 private:
  static constexpr Duration kMostExpected = std::chrono::milliseconds{2};
  static constexpr Duration kLong = std::chrono::milliseconds{8};  // one that took so long ends the looking

  Duration least_;
  Duration expected_ = kLong;
};

}  // namespace kaon::runtime
