// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/resident/wire/command_ring.hpp"

namespace kaon::gpu {

/// The local words of one ring between a worker and a peer, which is a resident scheduler of another PE.
struct alignas(64) PeerWords {
  std::uint32_t made;   // positions that were given out of that ring to the worker of the peer
  std::uint32_t head;   // of the same ring, taken: the peer's worker writes it
  std::uint32_t taken;  // of the peer's ring to this worker here, as the launch before had it
};

/// The rings to the workers of a peer, whose slots lie in its memory, and those from it, whose slots lie here: so many
/// places in each ring, and as many rings here as there, of the places that ResidentView says. In lines of the cache of
/// its own, as it is read for the first time when it has been written.
struct alignas(128) PeerView {
  CommandSlot* slots;  // of the peer's tasks
  PeerWords* words;
  CommandSlot* far_slots;  // of tasks for the peer
  PeerWords* far_words;
  std::uint32_t capacity;

  KAON_DEVICE CommandRing to(std::uint32_t ring) const {
    return {far_slots + std::size_t{ring} * capacity, &words[ring].head, nullptr, capacity, Scope::system};
  }
};

/// Which scheduler an object of a device belongs to: one of this process by its serial number, from 1 to 0xffff, or a
/// peer of such a one.
namespace owner {
inline constexpr std::uint32_t kMostPeers = 32;
inline constexpr unsigned kPeerShift = 16;
KAON_DEVICE constexpr std::uint32_t peer(std::uint32_t serial, std::uint32_t number) {
  return (number + 1) << kPeerShift | serial;
}
KAON_DEVICE constexpr bool is_peer_of(std::uint32_t owner, std::uint32_t serial) {
  return owner >> kPeerShift != 0 && (owner & ((1U << kPeerShift) - 1)) == serial;
}
KAON_DEVICE constexpr std::uint32_t number_of_peer(std::uint32_t owner) { return (owner >> kPeerShift) - 1; }
}  // namespace owner

}  // namespace kaon::gpu
