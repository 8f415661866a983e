// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include <kaon/kernel.hpp>

#include "kaon/gpu/kernels/flag_device.hpp"

namespace flags {

/// Answers each raise of `call` by one of `reply`.
struct Answer {
  static constexpr bool kIsCooperative = true;
  kaon::gpu::FlagWord call, reply;
  std::uint32_t rounds;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    for (std::uint32_t round = 1; round <= rounds && at.wait_for(call, round); ++round) at.raise_to(reply, round);
  }
};

/// Two blocks that call each other in turns.
struct TakeTurns {
  static constexpr bool kIsCooperative = true;
  kaon::gpu::FlagWord even, odd;
  std::uint32_t rounds;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    const bool is_first = at.block().x == 0;
    for (std::uint32_t round = 1; round <= rounds; ++round) {
      if (is_first) at.raise_to(even, round);
      if (!at.wait_for(is_first ? odd : even, round)) return;
      if (!is_first) at.raise_to(odd, round);
    }
  }
};

}  // namespace flags

KAON_KERNEL(flags::Answer);
KAON_KERNEL(flags::TakeTurns);
