// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/backends/api.hpp"
#include "kaon/gpu/kernels/quad.hpp"

namespace kaon::gpu {

/// The device half of a flag: a word that only grows, 0 at first, in memory that all who look at it reach. Whoever
/// waits owns its home: a device's own memory where a device waits for devices, pinned memory where a host takes part.
///
/// Each wait is for "has reached k", by the distance around the circle of 32 bits, so that nothing is ever set back; k
/// is less than 2^31 ahead of what the flag has. What was written before a flag was raised is seen by who saw it
/// raised, on all devices and the host (orders: acquire and release, of the whole system).
struct FlagWord {
  std::uint32_t* word = nullptr;

  KAON_DEVICE static constexpr bool is_reached(std::uint32_t value, std::uint32_t k) {
    return static_cast<std::int32_t>(value - k) >= 0;
  }
};

/// How long a kernel waits for a flag before it gives up: a wait without end would hang the device.
struct WaitLimit {
  std::uint64_t nanoseconds = 2'000'000'000;
};

}  // namespace kaon::gpu
