// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/resident/command_ring.hpp"

namespace kaon::gpu {

/// Of one peer, a resident scheduler of another PE, in this device's memory.
struct alignas(64) PeerWords {
  std::uint32_t made;   // positions of the ring to it that were given out
  std::uint32_t head;   // of the same ring, taken: the peer writes it
  std::uint32_t taken;  // of the ring from it, by the dispatcher, as the launch before had it
};

/// A ring to a peer, whose slots lie in its memory, and one from it, whose slots lie here. Each in lines of the cache
/// of its own: it is read for the first time when it has been written.
struct alignas(128) PeerView {
  CommandSlot* slots;  // of its tasks
  PeerWords* words;
  CommandSlot* far_slots;  // of tasks for it
  PeerWords* far_words;
  std::uint32_t capacity, far_capacity;

  KAON_DEVICE CommandRing to_peer() const { return {far_slots, &words->head, nullptr, far_capacity, Scope::system}; }
  KAON_DEVICE CommandRing from_peer() const { return {slots, &far_words->head, nullptr, capacity, Scope::system}; }
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
