// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include <kaon/kernel.hpp>

#include "tests/device/channel.kernels.hpp"

namespace kaon::testing {

/// A Speak that is launched: reads a round and writes the next one.
struct Talk {
  static constexpr bool kIsGathered = true;
  gpu::ChannelEnd<std::uint32_t> end;
  std::uint32_t* values;
  std::uint32_t round;
  KAON_DEVICE void operator()(std::size_t i) const {
    values[i] = answer_to(end.in(round)[i], values[i], static_cast<std::uint32_t>(i));
    end.out(round + 1)[i] = values[i];
  }
};

}  // namespace kaon::testing

KAON_KERNEL(kaon::testing::Talk);
