// SPDX-License-Identifier: Apache-2.0
// What the measuring programs share. Each prints one JSON object a line; the drivers in bench/ read them.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

namespace kaon::bench {

using Clock = std::chrono::steady_clock;  // the same in all processes of a host

inline double seconds_between(Clock::time_point start, Clock::time_point end) {
  return std::chrono::duration<double>(end - start).count();
}

/// How many repetitions take about `seconds`, from a first try.
inline int repetitions_for(double seconds, int tried, double seconds_tried, int most = 20'000'000) {
  const double fitting = seconds / std::max(seconds_tried, 1e-9) * tried;
  return std::clamp(static_cast<int>(std::min(fitting, 1e9)), 3, most);
}

/// `name` and `unit` hold nothing that JSON would escape.
inline void print_measurement(const std::string& name, double value, const char* unit) {
  fmt::print("{{\"case\": \"{}\", \"value\": {:.9g}, \"unit\": \"{}\"}}\n", name, value, unit);
  std::fflush(stdout);
}

inline std::string size_name(std::size_t bytes) {
  if (bytes >= (1u << 20) && bytes % (1u << 20) == 0) return fmt::format("{} MiB", bytes >> 20);
  if (bytes >= (1u << 10) && bytes % (1u << 10) == 0) return fmt::format("{} KiB", bytes >> 10);
  return fmt::format("{} B", bytes);
}

}  // namespace kaon::bench
