// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>

namespace kaon::gpu {

inline std::uint64_t now_ns() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds{1});
}
inline double seconds_since(std::uint64_t start_ns) { return 1e-9 * static_cast<double>(now_ns() - start_ns); }

}  // namespace kaon::gpu
