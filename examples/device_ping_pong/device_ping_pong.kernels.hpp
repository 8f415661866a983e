// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include <kaon/device_entry.hpp>

/// The state of a player in the device's memory.
struct Player {
  kaon::gpu::DeviceObject<Player> other;
  kaon::gpu::HostTarget<std::uint64_t> over;
  std::uint64_t hits;
};

/// Entries are structs: the members are the arguments, the call operator is the body, for all threads of a block.
struct Meet {
  using Object = Player;
  kaon::gpu::DeviceObject<Player> other;
  template <class At>
  KAON_DEVICE void operator()(At& at, Player& self) const {
    if (at.is_first()) self.other = other;
  }
};

struct Hit {
  using Object = Player;
  std::uint32_t left;
  template <class At>
  KAON_DEVICE void operator()(At& at, Player& self) const {
    if (!at.is_first()) return;
    ++self.hits;
    if (left > 1)
      at.send(self.other, Hit{left - 1});
    else
      at.tell(self.over, self.hits);
  }
};

using PlayerEntries = kaon::gpu::DeviceEntries<Meet, Hit>;
KAON_DEVICE_ENTRIES(PlayerEntries);
