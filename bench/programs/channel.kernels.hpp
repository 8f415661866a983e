// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include <kaon/device_entry.hpp>

#include "kaon/gpu/channels/channel_end.hpp"

namespace channel {

using End = kaon::gpu::ChannelEnd<std::uint64_t>;

/// One word of a hop by a launched kernel: sends the word of round `from`, plus one, in round `to`.
struct AddOne {
  End end;
  std::uint32_t from, to;  // rounds
  KAON_DEVICE void operator()(std::size_t i) const { end.out(to)[i] = end.in(from)[i] + 1; }
};

/// One of two in the memory of their devices, who answer each other's rounds.
struct Side {
  End end;
  std::uint32_t lag;  // 1 of who begins: he answers round k by his round k + 1
  kaon::gpu::AwaitedFlags before;
};

/// From round to stop, by each part of a gang its share.
struct Hop {
  using Object = Side;
  static constexpr bool kAwaitsFlags = true;
  std::uint32_t round, stop;
  template <class At>
  KAON_DEVICE void operator()(At& at, Side& self) const {
    const std::uint64_t first = self.end.count * at.part() / at.parts();
    const std::uint64_t last = self.end.count * (at.part() + 1) / at.parts();
    const std::uint64_t* const in = self.end.in(round - self.lag);
    std::uint64_t* const out = self.end.out(round);
    for (std::uint64_t i = first + at.lane(); i < last; i += at.lanes()) out[i] = in[i] + 1;
    at.sync();
    if (!at.is_first()) return;
    at.raise(self.end.partner_arrived, 1, self.end.scope);
    if (round < stop) at.when(self.before, round + 1 - self.lag, Hop{round + 1, stop});
  }
};

struct BeginHop {
  using Object = Side;
  static constexpr bool kAwaitsFlags = true;
  std::uint32_t round, stop;
  template <class At>
  KAON_DEVICE void operator()(At& at, Side& self) const {
    if (at.is_first()) at.when(self.before, round - self.lag, Hop{round, stop});
  }
};

using Entries = kaon::gpu::DeviceEntries<Hop, BeginHop>;

}  // namespace channel

KAON_KERNEL(channel::AddOne);
KAON_DEVICE_ENTRIES(channel::Entries);
