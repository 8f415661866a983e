// SPDX-License-Identifier: Apache-2.0
// Numbers that look random and are the same on every machine, for walks and graphs.
#pragma once

#include <cstdint>

namespace kaon::bench {

inline std::uint64_t next_random(std::uint64_t state) {
  return state * 6364136223846793005ULL + 1442695040888963407ULL;
}

/// 0 to `below` - 1.
inline int pick(std::uint64_t state, int below) {
  return static_cast<int>(((state >> 32) * static_cast<std::uint64_t>(below)) >> 32);
}

}  // namespace kaon::bench
