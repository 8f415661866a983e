// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <utility>

#include "kaon/runtime/base/namespaces.hpp"
#include "kaon/runtime/memory/number_map.hpp"

namespace kaon::chares {

/// Which calls of rebalance() wait for all elements of their array: the n-th of each since the last step, so that all
/// meet at one. How many an element has left goes with it when it moves between two steps; also the step's number, as
/// it may come to a PE that has not heard of the step's end yet.
class CallCounts {
 public:
  /// The step and the remaining calls of an element that moves. 0: nothing needs to be kept.
  using Left = std::uint64_t;

  /// The element calls. False: it goes on at once.
  bool is_to_wait(std::uint64_t element) {
    if (!is_used_) return true;
    const Left known = left_of(element);
    const auto left = static_cast<std::uint32_t>(known);
    if (left <= 1) return true;
    left_.set(element, (known & ~std::uint64_t{0xffffffff}) | (left - 1));
    return false;
  }
  /// A step has ended, and the next is at this call.
  void begin(std::uint32_t step, std::uint32_t period) {
    step_ = step;
    period_ = period;
    is_used_ = is_used_ || period > 1;
    if (left_.empty()) return;
    NumberMap<Left> newer;  // of elements that have come from PEs which were told before
    left_.each([&](std::uint64_t element, Left left) {
      if (left >> 32 >= step) newer.set(element, left);
    });
    left_ = std::move(newer);
  }

  Left take(std::uint64_t element) {
    if (!is_used_) return 0;
    const Left left = left_of(element);
    left_.erase(element);
    return left;
  }
  void put(std::uint64_t element, Left left) {
    if (left == 0) return;
    left_.set(element, left);
    is_used_ = true;
  }

 private:
  Left left_of(std::uint64_t element) const {
    const Left known = left_.find(element).value_or(0);
    const bool is_old = known >> 32 < step_ || known == 0;
    return is_old ? std::uint64_t{step_} << 32 | period_ : known;
  }

  std::uint32_t step_ = 0;
  std::uint32_t period_ = 1;
  bool is_used_ = false;  // some call went on at once
  NumberMap<Left> left_;  // step, and calls up to the one that waits
};

}  // namespace kaon::chares
