// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <type_traits>

#include "kaon/gpu/resident/resident_view.hpp"

namespace kaon::gpu {

/// What the threads of a worker share of the rings from its peers. Uninitialised.
struct PeerInboxShared {
  std::uint32_t peers;  // that are connected, as far as the worker knows
  std::uint32_t next;   // whose turn it is
  const CommandSlot* slots[owner::kMostPeers];
  std::uint32_t taken[owner::kMostPeers];
};

/// The rings from its peers, as the first warp of a worker looks at them: several at once, each by four lanes. All
/// threads of the warp call find() and take(), one of them the others.
template <class Words>
class PeerInbox {
 public:
  /// What a lane has found.
  struct Found {
    std::uint32_t peer;
    Quad quads[Words::kWarpLanes < 4 ? 4 : 1];
  };
  KAON_DEVICE PeerInbox(const ResidentView& view, std::uint32_t worker, PeerInboxShared& shared)
      : view_(view), worker_(worker), shared_(shared) {}

  /// How many are connected by now.
  KAON_DEVICE std::uint32_t connected() const { return Words::peek(&view_.shared->peers); }
  KAON_DEVICE void begin() const {
    shared_.peers = shared_.next = 0;
    note_peers();
  }
  KAON_DEVICE bool knows(std::uint32_t peers) const { return shared_.peers == peers; }
  KAON_DEVICE void note_peers() const {
    const std::uint32_t peers = Words::load(&view_.shared->peers, Scope::device);
    for (; shared_.peers < peers; ++shared_.peers) {
      const PeerView& peer = view_.peers[shared_.peers];
      shared_.slots[shared_.peers] = peer.slots + std::size_t{worker_} * peer.capacity;
      shared_.taken[shared_.peers] = Words::peek(&peer.words[worker_].taken);
    }
  }
  /// Whether one of them has sent something. Changes nothing.
  KAON_DEVICE bool find(Found& found) const {
    for (std::uint32_t first = 0; first < shared_.peers; first += kGroups) {
      const std::uint64_t ready = Words::which(look(place(first + Words::lane() / kGroup), first, found));
      for (unsigned g = 0; g < kGroups && first + g < shared_.peers; ++g) {
        found.peer = place(first + g);
        if ((~(ready >> (g * kGroup)) & ((std::uint64_t{1} << kGroup) - 1)) == 0) return true;
      }
    }
    return false;
  }
  /// Copies the command to memory that the block shares, and counts it as a task that was made here.
  KAON_DEVICE void take(const Found& found, Command& command) const {
    Words::fence(Scope::system);
    if (is_of(found.peer))
      for (unsigned i = 0; i < kQuads; ++i)
        for (unsigned word = 0; word < 3; ++word)
          command.words[3 * (Words::lane() % kGroup + i) + word] = found.quads[i].words[word];
    Words::sync_warp();
    if (Words::lane() != 0) return;
    const std::uint32_t taken = ++shared_.taken[found.peer];
    shared_.next = found.peer + 1 < shared_.peers ? found.peer + 1 : 0;
    Words::count_relaxed(&view_.shared->activity, std::uint64_t{1} << 32);
    Words::count_release(&view_.shared->traffic, 1);  // who sees it sees that one more is made
    Words::set(&view_.peers[found.peer].far_words[worker_].head, taken);
  }
  KAON_DEVICE void leave() const {
    for (std::uint32_t i = 0; i < shared_.peers; ++i) view_.peers[i].words[worker_].taken = shared_.taken[i];
  }

 private:
  static constexpr unsigned kGroup = Words::kWarpLanes < 4 ? 1 : 4, kGroups = Words::kWarpLanes / kGroup;
  static constexpr unsigned kQuads = 4 / kGroup;
  KAON_DEVICE std::uint32_t place(std::uint32_t i) const { return (shared_.next + i) % shared_.peers; }
  /// Whether this lane looked at that peer.
  KAON_DEVICE bool is_of(std::uint32_t peer) const {
    const std::uint32_t turn = peer >= shared_.next ? peer - shared_.next : peer + shared_.peers - shared_.next;
    return turn % kGroups == Words::lane() / kGroup;
  }
  KAON_DEVICE bool look(std::uint32_t peer, std::uint32_t first, Found& found) const {
    if (first + Words::lane() / kGroup >= shared_.peers) return false;
    const std::uint32_t position = shared_.taken[peer];
    const CommandSlot& slot = shared_.slots[peer][position & (view_.capacity - 1)];
    bool is_there = true;
    for (unsigned i = 0; i < kQuads; ++i) {
      found.quads[i] = Words::look_at(slot.quads[Words::lane() % kGroup + i]);
      is_there &= found.quads[i].epoch == epoch_at(position);
    }
    return is_there;
  }

  const ResidentView& view_;
  std::uint32_t worker_;
  PeerInboxShared& shared_;
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
  KAON_DEVICE void take(const Found&, Command&) const {}
  KAON_DEVICE void leave() const {}
};

template <class Entries, class Words>
using PeerInboxOf = std::conditional_t<Entries::kHavePeers, PeerInbox<Words>, NoPeerInbox<Words>>;
template <class Entries>
using PeersSharedOf = std::conditional_t<Entries::kHavePeers, PeerInboxShared, NoPeersShared>;

}  // namespace kaon::gpu
