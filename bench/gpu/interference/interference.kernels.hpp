// SPDX-License-Identifier: Apache-2.0
// Kernels that need all of a device's memory or all of its L2 cache, and entries that keep a scheduler busy.
#pragma once
#include <cstddef>
#include <cstdint>

#include <kaon/device_entry.hpp>
#include <kaon/kernel.hpp>

#include "bench/programs/rally.hpp"

namespace interference {

/// bfloat16 of 1 to 2: a multiplication of zeros would take less power.
struct FillHalves {
  std::uint16_t* values;
  KAON_DEVICE void operator()(std::size_t i) const {
    values[i] = static_cast<std::uint16_t>(0x3f80U | ((i * 2654435761U) >> 9 & 0x7fU));
  }
};

struct Copy {
  const float* from;
  float* to;
  KAON_DEVICE void operator()(std::size_t i) const { to[i] = from[i] + 1; }
};

/// Thread i reads `count` values of a table, `threads` apart, again and again.
struct ReadAgain {
  const float* values;
  float* sums;
  std::size_t threads, count;
  int times;
  KAON_DEVICE void operator()(std::size_t i) const {
    float sum = 0;
    for (int time = 0; time < times; ++time)
      for (std::size_t at = i; at < count; at += threads) sum += values[at] + static_cast<float>(time);
    sums[i] = sum;
  }
};

/// Says that it runs. With as many blocks as a scheduler it is what the way back from parking cannot be without.
struct Awake {
  kaon::gpu::FlagWord flag;
  template <class At>
  KAON_DEVICE void operator()(At& at) const {
    if (at.is_first() && at.block().x == 0) at.raise(flag);
  }
};

struct Player {
  kaon::gpu::DeviceObject<Player> other;
  kaon::gpu::HostTarget<std::uint32_t> over;
  std::uint32_t is_stopped = 0;
};

using Meet = kaon::bench::Meet<Player>;
using Nothing = kaon::bench::Nothing<Player>;

struct Stop {
  using Object = Player;
  template <class At>
  KAON_DEVICE void operator()(At& at, Player& self) const {
    if (at.is_first()) self.is_stopped = 1;
  }
};

/// From player to player, until one has been stopped.
struct Pass {
  using Object = Player;
  template <class At>
  KAON_DEVICE void operator()(At& at, Player& self) const {
    if (!at.is_first()) return;
    if (self.is_stopped != 0)
      at.tell(self.over, 1U);
    else
      at.send(self.other, Pass{});
  }
};

using Entries = kaon::gpu::DeviceEntries<Meet, Nothing, Stop, Pass>;

}  // namespace interference

KAON_KERNEL(interference::FillHalves);
KAON_KERNEL(interference::Copy);
KAON_KERNEL(interference::ReadAgain);
KAON_KERNEL(interference::Awake);
KAON_DEVICE_ENTRIES(interference::Entries);
