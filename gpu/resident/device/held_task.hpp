// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/resident/wire/command_ring.hpp"

namespace kaon::gpu {

/// A task for a worker whose ring was full: it has its position there.
struct HeldTask {
  static constexpr unsigned kPeerShift = 16;
  static constexpr std::uint32_t kUrgent = 1U << 15;
  Command command;
  std::uint32_t worker;  // kUrgent: of its ring for these; above 2^16 the number of the peer whose it is, from 1 on
  std::uint32_t position;
};

}  // namespace kaon::gpu
