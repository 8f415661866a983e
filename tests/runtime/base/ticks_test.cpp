// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/ticks.hpp"

#include <chrono>

#include "tests/support/catch.hpp"

using namespace kaon::testing;

namespace {

using Clock = std::chrono::steady_clock;

double us_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::micro>(to - from).count();
}

}  // namespace

// Whatever interrupts the test: the ticks are counted between two times that are known to be closer, and two that are
// known to be further apart.
TEST_CASE("ticks are told in microseconds as the steady clock goes", "[runtime][ticks]") {
  constexpr double kRight = 0.01;
  const auto first_outer = Clock::now();
  const std::uint64_t first = ticks();
  const auto first_inner = Clock::now();
  while (us_between(first_inner, Clock::now()) < 30'000) {
  }
  const auto last_inner = Clock::now();
  const std::uint64_t last = ticks();
  const auto last_outer = Clock::now();
  const double us = static_cast<double>(last - first) / ticks_per_us();
  CHECK(us > us_between(first_inner, last_inner) * (1 - kRight));
  CHECK(us < us_between(first_outer, last_outer) * (1 + kRight));
}
