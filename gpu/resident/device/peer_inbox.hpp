// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <type_traits>

#include "kaon/gpu/resident/wire/resident_view.hpp"
#include "kaon/gpu/resident/wire/tally.hpp"

namespace kaon::gpu {

/// How to send to a peer.
struct WayToPeer {
  PeerWords* words;
  CommandSlot* far_slots;
};

/// The state that the threads of a worker share: the rings from its peers, of so many levels, and the rings to the
/// first peers. Uninitialised.
template <std::uint32_t levels>
struct PeerInboxShared {
  static constexpr std::uint32_t kNear = 4, kRings = levels * owner::kMostPeers;
  std::uint32_t peers;  // that are connected, as far as the worker knows
  std::uint32_t next;   // whose turn it is
  const CommandSlot* slots[kRings];
  std::uint32_t taken[kRings];
  std::uint32_t noted[kRings];  // how many of these were counted, and their slots said to be free
  WayToPeer near[kNear];
};

/// The rings from its peers, as the first warp of a worker looks at them: several at once, each by four lanes. All
/// threads of the warp call find() and take(), one of them the others. With two levels each peer has two rings, of
/// which those for urgent tasks come first.
template <class Words, std::uint32_t levels>
class PeerInbox {
 public:
  using Shared = PeerInboxShared<levels>;
  struct Found {
    std::uint32_t ring;
  };
  KAON_DEVICE PeerInbox(const ResidentView& view, std::uint32_t worker, Shared& shared)
      : view_(view), worker_(worker), shared_(shared) {}

  /// How many are connected by now.
  KAON_DEVICE std::uint32_t connected() const { return Words::peek(&view_.shared->peers); }
  KAON_DEVICE void begin() const {
    shared_.peers = shared_.next = 0;
    note_peers();
  }
  KAON_DEVICE bool knows(std::uint32_t peers) const { return shared_.peers == peers; }
  /// True if there is a peer of this number. Asks connected() last, as the word that it reads is far.
  KAON_DEVICE bool has(std::uint32_t number) const { return number < shared_.peers || number < connected(); }
  /// For the first ones it is in the memory that the block shares: a look at the device's takes 0.15 us.
  KAON_DEVICE WayToPeer way_to(std::uint32_t number) const {
    if (number < Shared::kNear && number < shared_.peers) return shared_.near[number];
    return {view_.peers[number].words, view_.peers[number].far_slots};
  }
  KAON_DEVICE void note_peers() const {
    const std::uint32_t peers = Words::load(&view_.shared->peers, Scope::device);
    for (; shared_.peers < peers; ++shared_.peers) {
      const PeerView& peer = view_.peers[shared_.peers];
      if (shared_.peers < Shared::kNear) shared_.near[shared_.peers] = {peer.words, peer.far_slots};
      for (std::uint32_t level = 0; level < levels; ++level) {
        const std::uint32_t ring = ring_of(level, shared_.peers);
        shared_.slots[ring] = peer.slots + std::size_t{place_of(ring)} * peer.capacity;
        shared_.taken[ring] = shared_.noted[ring] = Words::peek(&peer.words[place_of(ring)].taken);
      }
    }
  }
  /// True if one of them has sent something. Changes nothing.
  KAON_DEVICE bool find(Found& found) const {
    for (std::uint32_t first = 0; first < levels * shared_.peers; first += kGroups) {
      const std::uint64_t ready = Words::which(look(first + Words::lane() / kGroup));
      for (unsigned g = 0; g < kGroups && first + g < levels * shared_.peers; ++g) {
        found.ring = ring_at(first + g);
        if ((~(ready >> (g * kGroup)) & ((std::uint64_t{1} << kGroup) - 1)) == 0) return true;
      }
    }
    return false;
  }
  KAON_DEVICE static bool is_urgent(const Found& found) { return levels > 1 && found.ring < owner::kMostPeers; }
  /// Copies the command to memory that the block shares. What was written before it is acquired by a second look: a
  /// fence would also wait for what this device has written to others.
  KAON_DEVICE void take(const Found& found, Command& command) const {
    const std::uint32_t position = shared_.taken[found.ring];
    if (is_looked_at_here(found.ring))
      for (unsigned i = 0; i < kQuads; ++i)
        copy_quad(Words::acquire(quad(found.ring, position, i)), Words::lane() % kGroup + i, command);
    Words::sync_warp();
    if (Words::lane() != 0) return;
    const std::uint32_t peer = peer_of(found.ring);
    shared_.taken[found.ring] = position + 1;
    shared_.next = peer + 1 < shared_.peers ? peer + 1 : 0;
    if (((position + 1) & (often() - 1)) == 0) tell_of_freed(found.ring);
  }
  /// Before the worker waits, and before what it has finished counts: what was taken is counted as made here, and the
  /// peers are told which slots are free. That crosses to the other device and back, and the fence of a task's sending
  /// would wait for it. By one thread.
  KAON_DEVICE void note_taken() const {
    std::uint32_t made = 0;
    for_each_ring([&](std::uint32_t ring) { made += shared_.taken[ring] - shared_.noted[ring]; });
    if (made == 0) return;
    Words::count_relaxed(&view_.shared->activity, tally::made(made));
    Words::count_release(&view_.shared->traffic, traffic::taken(made));  // who sees it sees that so many more are made
    for_each_ring([&](std::uint32_t ring) {
      if (shared_.noted[ring] != shared_.taken[ring]) tell_of_freed(ring);
      shared_.noted[ring] = shared_.taken[ring];
    });
  }
  KAON_DEVICE void leave() const {
    for_each_ring(
        [&](std::uint32_t ring) { view_.peers[peer_of(ring)].words[place_of(ring)].taken = shared_.taken[ring]; });
  }

 private:
  static constexpr unsigned kGroup = Words::kWarpLanes < 4 ? 1 : 4, kGroups = Words::kWarpLanes / kGroup;
  static constexpr unsigned kQuads = 4 / kGroup;
  /// Those of one level lie side by side, the urgent ones first.
  KAON_DEVICE static constexpr std::uint32_t ring_of(std::uint32_t level, std::uint32_t peer) {
    return level * owner::kMostPeers + peer;
  }
  KAON_DEVICE static constexpr std::uint32_t peer_of(std::uint32_t ring) {
    return levels > 1 ? ring % owner::kMostPeers : ring;
  }
  /// The place of this worker's ring among those that its PeerView has, see ResidentView.
  KAON_DEVICE std::uint32_t place_of(std::uint32_t ring) const {
    return levels > 1 && ring < owner::kMostPeers ? view_.place_of_urgent(worker_) : worker_;
  }
  template <class Do>
  KAON_DEVICE void for_each_ring(const Do& act) const {
    for (std::uint32_t level = 0; level < levels; ++level)
      for (std::uint32_t peer = 0; peer < shared_.peers; ++peer) act(ring_of(level, peer));
  }
  /// The i-th that is looked at.
  KAON_DEVICE std::uint32_t ring_at(std::uint32_t i) const {
    const std::uint32_t level = levels > 1 && i >= shared_.peers ? 1 : 0;
    const std::uint32_t at = shared_.next + i - level * shared_.peers;
    return ring_of(level, at < shared_.peers ? at : at - shared_.peers);
  }
  /// Peers that send without a pause are told of free slots so often that they need not wait.
  KAON_DEVICE std::uint32_t often() const { return view_.capacity < 4 ? 1 : view_.capacity / 4; }
  KAON_DEVICE void tell_of_freed(std::uint32_t ring) const {
    Words::set(&view_.peers[peer_of(ring)].far_words[place_of(ring)].head, shared_.taken[ring]);
  }
  /// True if this lane is one of those that looked at the ring.
  KAON_DEVICE bool is_looked_at_here(std::uint32_t ring) const {
    const std::uint32_t peer = peer_of(ring), level = levels > 1 ? ring / owner::kMostPeers : 0;
    const std::uint32_t turn = peer >= shared_.next ? peer - shared_.next : peer + shared_.peers - shared_.next;
    return (level * shared_.peers + turn) % kGroups == Words::lane() / kGroup;
  }
  KAON_DEVICE bool look(std::uint32_t i) const {
    if (i >= levels * shared_.peers) return false;
    const std::uint32_t ring = ring_at(i), position = shared_.taken[ring];
    bool is_there = true;
    for (unsigned q = 0; q < kQuads; ++q)
      is_there &= Words::look_at(quad(ring, position, q)).epoch == epoch_at(position);
    return is_there;
  }
  /// This lane's, or one of its.
  KAON_DEVICE const Quad& quad(std::uint32_t ring, std::uint32_t position, unsigned i) const {
    return shared_.slots[ring][position & (view_.capacity - 1)].quads[Words::lane() % kGroup + i];
  }

  const ResidentView& view_;
  std::uint32_t worker_;
  Shared& shared_;
};

/// Stand in their places where entries have no peers, and cost nothing.
struct NoPeersShared {};
template <class Words>
class NoPeerInbox {
 public:
  struct Found {};
  KAON_DEVICE NoPeerInbox(const ResidentView&, std::uint32_t, NoPeersShared&) {}
  KAON_DEVICE std::uint32_t connected() const { return 0; }
  KAON_DEVICE void begin() const {}
  KAON_DEVICE bool knows(std::uint32_t) const { return true; }
  KAON_DEVICE void note_peers() const {}
  KAON_DEVICE bool find(Found&) const { return false; }
  KAON_DEVICE static bool is_urgent(const Found&) { return false; }
  KAON_DEVICE void take(const Found&, Command&) const {}
  KAON_DEVICE void note_taken() const {}
  KAON_DEVICE void leave() const {}
};

template <class Entries>
inline constexpr std::uint32_t kPeerLevels = Entries::kHaveUrgent ? 2 : 1;
template <class Entries, class Words>
using PeerInboxOf = std::conditional_t<Entries::kHavePeers, PeerInbox<Words, kPeerLevels<Entries>>, NoPeerInbox<Words>>;
template <class Entries>
using PeersSharedOf = std::conditional_t<Entries::kHavePeers, PeerInboxShared<kPeerLevels<Entries>>, NoPeersShared>;

}  // namespace kaon::gpu
