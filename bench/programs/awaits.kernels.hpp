// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include <kaon/kernel.hpp>

namespace awaits {

/// Runs until the word, in the device's memory, is set, for some seconds at most. (Kernels that look at memory of the
/// host slow all others down that write there.)
struct RunUntilSet {
  const std::uint32_t* word;
  KAON_DEVICE void operator()(std::size_t) const {
    constexpr int kLooks = 1 << 24;
    for (int look = 0; look < kLooks && *const_cast<const volatile std::uint32_t*>(word) == 0; ++look) {
    }
  }
};

struct DoNothing {
  KAON_DEVICE void operator()(std::size_t) const {}
};

}  // namespace awaits

KAON_KERNEL(awaits::RunUntilSet);
KAON_KERNEL(awaits::DoNothing);
