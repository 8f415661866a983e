// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kaon/gpu/backends/api.hpp"

namespace jacobi3d {

// Divides numbers of 31 bits by one that is known before, by a multiplication (Granlund and Montgomery, "Division by
// invariant integers using multiplication", 1994): devices have no instruction for a division, and take long for it.
class Divisor {
 public:
  constexpr Divisor() = default;
  // `divisor`: 1 to 2^30.
  constexpr explicit Divisor(std::uint32_t divisor) {
    shift_ = 31;
    while ((std::uint64_t{1} << (shift_ - 31)) < divisor) ++shift_;
    factor_ = static_cast<std::uint32_t>(((std::uint64_t{1} << shift_) + divisor - 1) / divisor);  // below 2^32
  }
  KAON_DEVICE constexpr int divide(int number) const {
    return static_cast<int>(std::uint64_t{static_cast<std::uint32_t>(number)} * factor_ >> shift_);
  }

 private:
  std::uint32_t factor_ = std::uint32_t{1} << 31;
  std::uint32_t shift_ = 31;
};

}  // namespace jacobi3d
