// SPDX-License-Identifier: Apache-2.0
// Division by 6 without a divider, for processors that have none for doubles.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "kaon/gpu/backends/api.hpp"

namespace jacobi3d {

// Whether the argument may be divided by multiplication: a zero, or of ordinary size. Below 2^-1018 bits of the
// correction would be lost; from 2^1022 on, 6 * guess may be infinite.
KAON_DEVICE inline bool is_plain(double number) {
  constexpr std::uint32_t kLeast = 5U << 21, kHuge = 2045U << 21;  // exponents in front, the sign shifted out
  std::uint64_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  const std::uint32_t size = static_cast<std::uint32_t>(bits >> 32) << 1;
  return size - kLeast < kHuge - kLeast || number == 0;
}

// Equal to number / 6.0 in every bit when is_plain(number), on every processor that rounds fma once.
//
// Rounded to a double, 1/6 is (1 - 2^-54) / 6. So the guess is less than one unit in its last place (ulp) from the
// quotient; then `excess` is exact, and the last sum is, before its one rounding, within 2^-54 ulp of the quotient.
// That rounds as the quotient does unless a midpoint of two doubles lies between them. No quotient by 6 is a midpoint
// (three times an odd number of 54 bits needs 55), and so each is 1/6 ulp or more away from all. Subtracting the
// excess, and not adding what is missing, keeps the sign of a zero.
KAON_DEVICE inline double sixth_of_plain(double number) {
  constexpr double kSixth = 1.0 / 6.0;
  const double guess = number * kSixth;
  const double excess = std::fma(6.0, guess, -number);
  return std::fma(excess, -kSixth, guess);
}

KAON_DEVICE inline double sixth(double number) { return is_plain(number) ? sixth_of_plain(number) : number / 6.0; }

}  // namespace jacobi3d
