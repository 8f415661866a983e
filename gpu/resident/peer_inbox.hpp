// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <type_traits>

#include "kaon/gpu/resident/resident_view.hpp"

namespace kaon::gpu {

/// What the threads of a worker share of the rings from its peers, and of those to the first ones. Uninitialised.
struct PeerInboxShared {
  static constexpr std::uint32_t kNear = 4;
  struct Near {
    PeerWords* words;
    CommandSlot* far_slots;
  };
  std::uint32_t peers;  // that are connected, as far as the worker knows
  std::uint32_t next;   // whose turn it is
  const CommandSlot* slots[owner::kMostPeers];
  std::uint32_t taken[owner::kMostPeers];
  std::uint32_t noted[owner::kMostPeers];  // how many of these were counted, and their slots said to be free
  Near near[kNear];
};

/// The rings from its peers, as the first warp of a worker looks at them: several at once, each by four lanes. All
/// threads of the warp call find() and take(), one of them the others.
template <class Words>
class PeerInbox {
 public:
  struct Found {
    std::uint32_t peer;
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
  /// Whether there is one of this number: the word that connected() reads is far.
  KAON_DEVICE bool has(std::uint32_t number) const { return number < shared_.peers || number < connected(); }
  /// How to send to one. For the first ones it is in the memory that the block shares: a look at the device's takes
  /// 0.15 us.
  KAON_DEVICE PeerInboxShared::Near way_to(std::uint32_t number) const {
    if (number < PeerInboxShared::kNear && number < shared_.peers) return shared_.near[number];
    return {view_.peers[number].words, view_.peers[number].far_slots};
  }
  KAON_DEVICE void note_peers() const {
    const std::uint32_t peers = Words::load(&view_.shared->peers, Scope::device);
    for (; shared_.peers < peers; ++shared_.peers) {
      const PeerView& peer = view_.peers[shared_.peers];
      if (shared_.peers < PeerInboxShared::kNear) shared_.near[shared_.peers] = {peer.words, peer.far_slots};
      shared_.slots[shared_.peers] = peer.slots + std::size_t{worker_} * peer.capacity;
      shared_.taken[shared_.peers] = shared_.noted[shared_.peers] = Words::peek(&peer.words[worker_].taken);
    }
  }
  /// Whether one of them has sent something. Changes nothing.
  KAON_DEVICE bool find(Found& found) const {
    for (std::uint32_t first = 0; first < shared_.peers; first += kGroups) {
      const std::uint64_t ready = Words::which(look(place(first + Words::lane() / kGroup), first));
      for (unsigned g = 0; g < kGroups && first + g < shared_.peers; ++g) {
        found.peer = place(first + g);
        if ((~(ready >> (g * kGroup)) & ((std::uint64_t{1} << kGroup) - 1)) == 0) return true;
      }
    }
    return false;
  }
  /// Copies the command to memory that the block shares. What was written before it is acquired by a second look: a
  /// fence would also wait for what this device has written to others.
  KAON_DEVICE void take(const Found& found, Command& command) const {
    const std::uint32_t position = shared_.taken[found.peer];
    if (is_of(found.peer))
      for (unsigned i = 0; i < kQuads; ++i) copy(Words::acquire(quad(found.peer, position, i)), i, command);
    Words::sync_warp();
    if (Words::lane() != 0) return;
    shared_.taken[found.peer] = position + 1;
    shared_.next = found.peer + 1 < shared_.peers ? found.peer + 1 : 0;
    if (((position + 1) & (often() - 1)) == 0) tell_of_freed(found.peer);
  }
  /// Before the worker waits, and before what it has finished counts: what was taken is counted as made here, and the
  /// peers are told which slots are free. That crosses to the other device and back, and the fence of a task's sending
  /// would wait for it. By one thread.
  KAON_DEVICE void note_taken() const {
    std::uint32_t made = 0;
    for (std::uint32_t i = 0; i < shared_.peers; ++i) made += shared_.taken[i] - shared_.noted[i];
    if (made == 0) return;
    Words::count_relaxed(&view_.shared->activity, std::uint64_t{made} << 32);
    Words::count_release(&view_.shared->traffic, made);  // who sees it sees that so many more are made
    for (std::uint32_t i = 0; i < shared_.peers; ++i) {
      if (shared_.noted[i] != shared_.taken[i]) tell_of_freed(i);
      shared_.noted[i] = shared_.taken[i];
    }
  }
  KAON_DEVICE void leave() const {
    for (std::uint32_t i = 0; i < shared_.peers; ++i) view_.peers[i].words[worker_].taken = shared_.taken[i];
  }

 private:
  static constexpr unsigned kGroup = Words::kWarpLanes < 4 ? 1 : 4, kGroups = Words::kWarpLanes / kGroup;
  static constexpr unsigned kQuads = 4 / kGroup;
  KAON_DEVICE std::uint32_t place(std::uint32_t i) const {
    const std::uint32_t at = shared_.next + i;
    return at < shared_.peers ? at : at - shared_.peers;
  }
  /// Peers that send without a pause are told of free slots so often that they need not wait.
  KAON_DEVICE std::uint32_t often() const { return view_.capacity < 4 ? 1 : view_.capacity / 4; }
  KAON_DEVICE void tell_of_freed(std::uint32_t peer) const {
    Words::set(&view_.peers[peer].far_words[worker_].head, shared_.taken[peer]);
  }
  /// Whether this lane looked at that peer.
  KAON_DEVICE bool is_of(std::uint32_t peer) const {
    const std::uint32_t turn = peer >= shared_.next ? peer - shared_.next : peer + shared_.peers - shared_.next;
    return turn % kGroups == Words::lane() / kGroup;
  }
  KAON_DEVICE bool look(std::uint32_t peer, std::uint32_t first) const {
    if (first + Words::lane() / kGroup >= shared_.peers) return false;
    const std::uint32_t position = shared_.taken[peer];
    bool is_there = true;
    for (unsigned i = 0; i < kQuads; ++i)
      is_there &= Words::look_at(quad(peer, position, i)).epoch == epoch_at(position);
    return is_there;
  }
  /// This lane's, or one of its.
  KAON_DEVICE const Quad& quad(std::uint32_t peer, std::uint32_t position, unsigned i) const {
    return shared_.slots[peer][position & (view_.capacity - 1)].quads[Words::lane() % kGroup + i];
  }
  KAON_DEVICE static void copy(const Quad& quad, unsigned i, Command& command) {
    for (unsigned word = 0; word < 3; ++word) command.words[3 * (Words::lane() % kGroup + i) + word] = quad.words[word];
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
  KAON_DEVICE void note_taken() const {}
  KAON_DEVICE void leave() const {}
};

template <class Entries, class Words>
using PeerInboxOf = std::conditional_t<Entries::kHavePeers, PeerInbox<Words>, NoPeerInbox<Words>>;
template <class Entries>
using PeersSharedOf = std::conditional_t<Entries::kHavePeers, PeerInboxShared, NoPeersShared>;

}  // namespace kaon::gpu
