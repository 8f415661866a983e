// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/resident/wire/commands.hpp"
#include "kaon/gpu/resident/wire/guest_view.hpp"
#include "kaon/gpu/resident/wire/peer_view.hpp"
#include "kaon/gpu/resident/wire/resident_words.hpp"

namespace kaon::gpu {

struct HeldTask;  // in the device's half

/// The argument of a resident kernel: the places of its rings and words.
struct ResidentView {
  WorkerWords* workers;
  SharedWords* shared;
  CommandSlot* device_slots;   // of each worker, one behind the other
  CommandSlot* forward_slots;  // the same
  CommandSlot* urgent_slots;   // the same, where entries are urgent
  HeldTask* held;              // the same
  Command* locked;             // the same, where objects can be locked
  PeerView* peers;             // owner::kMostPeers
  PinnedWords* host;           // pinned, as are those below
  CommandSlot* host_slots;
  CommandSlot* urgent_host_slots;  // as many as a worker's ring has, where entries are urgent
  CommandSlot* notice_slots;
  GuestWords* guests;               // of each guest, in the device's memory
  GuestPinnedWords* guest_host;     // the same, pinned
  CommandSlot* guest_slots;         // of each guest host_capacity, one behind the other: pinned, as are those below
  CommandSlot* guest_notice_slots;  // of each notice_capacity
  std::uint32_t* running;  // of each worker: the entry, below a number of the task; 0: none. In memory of either side
  std::uint32_t worker_count;
  std::uint32_t block_workers;  // of these, blocks: the first ones; the others are warps
  std::uint32_t capacity, held_capacity, host_capacity, notice_capacity;
  std::uint32_t guest_count;         // that there may be
  std::uint32_t serial;              // of the scheduler among those of the process; its guests have those behind it
  std::uint32_t launch;              // its number
  std::uint32_t has_own_processors;  // each block a multiprocessor, as there are enough
  std::uint64_t idle_ns;             // until it parks
  std::uint64_t patience_ns;         // for a host that does not take what it is told
  std::uint64_t flag_patience_ns;
  std::uint64_t entry_patience_ns;

  /// Tasks of workers, for a worker.
  KAON_DEVICE CommandRing from_device(std::uint32_t worker) const {
    return {device_slots + std::size_t{worker} * capacity, &workers[worker].head, nullptr, capacity, Scope::device};
  }
  /// Urgent tasks, of workers and of the dispatcher.
  KAON_DEVICE CommandRing urgent(std::uint32_t worker) const {
    return {urgent_slots + std::size_t{worker} * capacity, &workers[worker].urgent_head, nullptr, capacity,
            Scope::device};
  }
  /// Tasks of the host, for a worker.
  KAON_DEVICE CommandRing from_dispatcher(std::uint32_t worker) const {
    WorkerWords& words = workers[worker];
    return {forward_slots + std::size_t{worker} * capacity, &words.host_head_seen, &words.host_head, capacity,
            Scope::device};
  }
  KAON_DEVICE CommandRing from_host() const {
    return {host_slots, &host->host_taken, nullptr, host_capacity, Scope::system};
  }
  /// Those that are urgent, which the dispatcher hands on also while it waits for room for others.
  KAON_DEVICE CommandRing urgent_from_host() const {
    return {urgent_host_slots, &host->urgent_taken, nullptr, capacity, Scope::system};
  }
  /// Where entries are urgent a peer has two rings to each worker: those for urgent tasks behind all others.
  KAON_DEVICE std::uint32_t rings_of_peer(bool has_urgent) const {
    return has_urgent ? 2 * worker_count : worker_count;
  }
  KAON_DEVICE std::uint32_t place_of_urgent(std::uint32_t worker) const { return worker_count + worker; }
  KAON_DEVICE Command* locked_by(std::uint32_t worker) const { return locked + std::size_t{worker} * held_capacity; }
  /// Tasks of a guest, by its number among them.
  KAON_DEVICE CommandRing from_guest(std::uint32_t guest) const {
    return {guest_slots + std::size_t{guest} * host_capacity, &guest_host[guest].tasks_taken, nullptr, host_capacity,
            Scope::system};
  }
  KAON_DEVICE CommandRing to_guest(std::uint32_t guest) const {
    return {guest_notice_slots + std::size_t{guest} * notice_capacity, &guests[guest].notice_head,
            &guest_host[guest].notices_taken, notice_capacity, Scope::system};
  }
  KAON_DEVICE CommandRing to_member(std::uint32_t member) const {
    return member == member::kOwner ? to_host() : to_guest(member - 1);
  }
  /// Whose target it is.
  KAON_DEVICE std::uint32_t member_of_target(std::uint32_t target) const {
    const std::uint32_t member = (target >> notice::kSerialShift) - serial;
    return member <= guest_count ? member : member::kOwner;
  }
  /// The ring of notices, which the device fills; the host takes from it.
  KAON_DEVICE CommandRing to_host() const {
    return {notice_slots, &shared->notice_head, &host->notices_taken, notice_capacity, Scope::system};
  }
};

}  // namespace kaon::gpu
