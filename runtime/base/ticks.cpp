// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/ticks.hpp"

namespace kaon::runtime {
namespace {

using Clock = std::chrono::steady_clock;

/// Both clocks at one time.
struct Reading {
  std::uint64_t ticks = 0;
  Clock::time_point time;
};

/// The thread may be interrupted between the two: the closest of some is taken.
Reading read_both() {
  constexpr int kTries = 5;
  Reading best;
  std::uint64_t closest = ~std::uint64_t{0};
  for (int i = 0; i < kTries; ++i) {
    const std::uint64_t before = ticks();
    const Clock::time_point time = Clock::now();
    const std::uint64_t after = ticks();
    if (after - before >= closest) continue;
    closest = after - before;
    best = {before + closest / 2, time};
  }
  return best;
}

const Reading start = read_both();

}  // namespace

double ticks_per_us() {
  constexpr std::chrono::microseconds kLeast{200};  // readings are right to some 0.1 us
  Reading now = read_both();
  while (now.time - start.time < kLeast) now = read_both();
  const std::chrono::duration<double, std::micro> passed = now.time - start.time;
  return static_cast<double>(now.ticks - start.ticks) / passed.count();
}

}  // namespace kaon::runtime
