// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace kaon::runtime {

/// The numbers of the payloads that a PE sends. They wrap around at the width that the network's tags leave for them.
class PayloadCounters {
 public:
  explicit PayloadCounters(int bits) : mask_(~0u >> (32 - bits)) {}

  /// The first of so many consecutive ones.
  std::uint32_t take(std::uint32_t count) {
    const std::uint32_t first = next_;
    next_ = (next_ + count) & mask_;
    return first;
  }
  /// The counter so many behind `first`, which may be another PE's: all of a run have one width.
  std::uint32_t at(std::uint32_t first, std::uint32_t index) const { return (first + index) & mask_; }

 private:
  std::uint32_t next_ = 0;
  std::uint32_t mask_;
};

}  // namespace kaon::runtime
