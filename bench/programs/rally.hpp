// SPDX-License-Identifier: Apache-2.0
// Entries of objects that send to each other by turns.
#pragma once
#include <cstdint>

#include <kaon/device_entry.hpp>

namespace kaon::bench {

/// Introduces a player to the other one, and to what tells the host of the end.
template <class Player, unsigned MostThreads = 256>
struct Meet {
  using Object = Player;
  static constexpr unsigned kMostThreads = MostThreads;
  gpu::DeviceObject<Player> other;
  gpu::HostTarget<std::uint32_t> over;
  template <class At>
  KAON_DEVICE void operator()(At& at, Player& self) const {
    if (!at.is_first()) return;
    self.other = other;
    self.over = over;
  }
};

template <class Player>
struct Nothing {
  using Object = Player;
  template <class At>
  KAON_DEVICE void operator()(At&, Player&) const {}
};

/// To the other player, and back, `left` times; the host is told of the end.
template <class Player>
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

}  // namespace kaon::bench
