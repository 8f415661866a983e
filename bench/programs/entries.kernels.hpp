// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include <kaon/device_entry.hpp>

namespace entries {

/// As dispatch::Player, for warps.
struct Player {
  static constexpr bool kIsWarpSized = true;
  kaon::gpu::DeviceObject<Player> other;
  kaon::gpu::HostTarget<std::uint32_t> over;
};

struct Meet {
  using Object = Player;
  static constexpr unsigned kMostThreads = 1024;
  kaon::gpu::DeviceObject<Player> other;
  kaon::gpu::HostTarget<std::uint32_t> over;
  template <class At>
  KAON_DEVICE void operator()(At& at, Player& self) const {
    if (!at.is_first()) return;
    self.other = other;
    self.over = over;
  }
};

/// To the other player, and back, `left` times; the host is told of the end.
struct Pass {
  using Object = Player;
  std::uint32_t left;
  template <class At>
  KAON_DEVICE void operator()(At& at, Player& self) const {
    if (!at.is_first()) return;
    if (left > 0)
      at.send(self.other, Pass{left - 1});
    else
      at.tell(self.over, 1U);
  }
};

using Entries = kaon::gpu::DeviceEntries<Meet, Pass>;

}  // namespace entries

KAON_DEVICE_ENTRIES(entries::Entries);
