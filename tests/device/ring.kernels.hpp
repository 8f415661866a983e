// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include <kaon/kernel.hpp>

#include "tests/device/channel.kernels.hpp"

namespace kaon::testing {

/// The value that a member of a ring gets from its two neighbors together.
KAON_DEVICE constexpr std::uint32_t heard_of(std::uint32_t left, std::uint32_t right) { return 5 * left + 7 * right; }

/// Reads a round of both neighbors and writes the next one for both.
struct TalkInRing {
  static constexpr bool kIsGathered = true;
  gpu::ChannelEnd<std::uint32_t> left, right;
  std::uint32_t* values;
  std::uint32_t round;
  KAON_DEVICE void operator()(std::size_t i) const {
    const std::uint32_t heard = heard_of(left.in(round)[i], right.in(round)[i]);
    values[i] = answer_to(heard, values[i], static_cast<std::uint32_t>(i));
    left.out(round + 1)[i] = values[i];
    right.out(round + 1)[i] = values[i];
  }
};

}  // namespace kaon::testing

KAON_KERNEL(kaon::testing::TalkInRing);
