// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/runtime/base/ticks.hpp"

namespace kaon::gpu {

/// How long a PE that has more to run holds work back from a device, which may have nothing else to do: for some turns,
/// and where time is not a test's own, for as long as a few kernels take.
class HoldingTime {
 public:
  void begin(bool is_stepped) {
    turns_ = 0;
    until_ = is_stepped ? ~std::uint64_t{0}
                        : runtime::ticks() + static_cast<std::uint64_t>(kMost_us * runtime::ticks_per_us());
  }
  /// At the end of a turn.
  bool is_over() { return ++turns_ == kMostTurns || runtime::ticks() > until_; }

 private:
  static constexpr int kMostTurns = 64;
  static constexpr double kMost_us = 100;
  int turns_ = 0;
  std::uint64_t until_ = 0;
};

}  // namespace kaon::gpu
