// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/backends/api.hpp"

namespace kaon::gpu {

/// Among whom an order of memory holds: the threads of one device, or all devices and the host.
enum class Scope : std::uint8_t { device, system };

/// 16 bytes that are seen whole or not at all: three words, and which round of them this is.
struct alignas(16) Quad {
  std::uint32_t words[3];
  std::uint32_t epoch;
};

/// 16 bytes that one thread copies at once.
struct alignas(16) CopiedQuad {
  std::uint64_t low, high;
};

}  // namespace kaon::gpu
