// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/resident/guest_view.hpp"
#include "kaon/gpu/resident/peer_view.hpp"

namespace kaon::gpu {

/// What is asked of a worker: an entry, of an object, with its arguments. Places among the words. One for no worker
/// asks the dispatcher to raise a flag: the word at kObject, as often as kReply says; or, with kCarry for the entry, to
/// copy.
namespace task {
inline constexpr unsigned kEntry = 0, kObject = 1, kReply = 3, kArguments = 4;
inline constexpr std::uint32_t kNoReply = 0;
/// The number of the entry shares a word with the workers of the object, `parts` of them from `first` on.
inline constexpr unsigned kEntryBits = 8, kWorkerBits = 12;
inline constexpr std::uint32_t kMostWorkers = (1U << kWorkerBits) - 1;
/// Two that every list has: the host locks an object, and unlocks it, by a number of the lock among its arguments.
inline constexpr std::uint32_t kMostEntries = (1U << kEntryBits) - 2, kLock = kMostEntries, kUnlock = kLock + 1;
/// Of what the dispatcher copies: addresses in two words each, bytes, a word of the host's that becomes 1, a number.
inline constexpr std::uint32_t kCarry = 1;
inline constexpr unsigned kFrom = 1, kTo = 3, kDone = 5, kBytes = 7, kNumber = 8;
KAON_DEVICE constexpr std::uint32_t workers(std::uint32_t first, std::uint32_t parts) {
  return (first | parts << kWorkerBits) << kEntryBits;
}
KAON_DEVICE constexpr std::uint32_t entry_of(const Command& command) {
  return command.words[kEntry] & ((1U << kEntryBits) - 1);
}
KAON_DEVICE constexpr std::uint32_t first_worker_of(const Command& command) {
  return command.words[kEntry] >> kEntryBits & kMostWorkers;
}
KAON_DEVICE constexpr std::uint32_t parts_of(const Command& command) {
  return command.words[kEntry] >> (kEntryBits + kWorkerBits);
}
KAON_DEVICE constexpr bool is_carry(const Command& command) { return command.words[kEntry] == kCarry; }
}  // namespace task
/// What the device asks of the host: a target, and values for it.
namespace notice {
inline constexpr unsigned kTarget = 0, kTicket = 1, kValues = 2;
/// Targets: who called, by the ticket; of a gang, its first part brings the values, the others only say that they are
/// done. Targets of a program have the number of their scheduler above their own.
inline constexpr std::uint32_t kReply = 0, kReplyOfPart = 1;
inline constexpr unsigned kSerialShift = 16;
}  // namespace notice
/// How many tasks the device has made and finished, in one word that is right however many there were: the lower half
/// says how many more were made than finished, around 32 bits, and the upper one moves with what is finished.
namespace tally {
KAON_DEVICE constexpr std::uint64_t made(std::uint32_t tasks) { return tasks; }
KAON_DEVICE constexpr std::uint64_t finished(std::uint32_t tasks) { return (std::uint64_t{tasks} << 32) - tasks; }
/// Whether as many are finished as were made by the device, and taken by it.
KAON_DEVICE constexpr bool is_even(std::uint64_t tally, std::uint32_t taken) {
  return static_cast<std::uint32_t>(tally) + taken == 0;
}
}  // namespace tally
/// Tasks that were sent to peers and taken from them, in one word of which the lower half carries into the upper one:
/// what it has grown by tells both, of fewer than 2^32.
namespace traffic {
KAON_DEVICE constexpr std::uint64_t sent(std::uint32_t tasks) { return std::uint64_t{tasks} << 32; }
KAON_DEVICE constexpr std::uint64_t taken(std::uint32_t tasks) { return tasks; }
KAON_DEVICE constexpr std::uint32_t sent_in(std::uint64_t more) { return static_cast<std::uint32_t>(more >> 32); }
KAON_DEVICE constexpr std::uint32_t taken_in(std::uint64_t more) { return static_cast<std::uint32_t>(more); }
}  // namespace traffic
inline constexpr std::size_t kMostArgumentBytes = sizeof(std::uint32_t) * (Command::kWords - task::kArguments);

/// A task for a worker whose ring was full: it has its position there.
struct HeldTask {
  static constexpr unsigned kPeerShift = 16;
  static constexpr std::uint32_t kUrgent = 1U << 15;
  Command command;
  std::uint32_t worker;  // kUrgent: of its ring for these; above 2^16 the number of the peer whose it is, from 1 on
  std::uint32_t position;
};

/// Of one worker, in the device's memory. Between two launches it keeps how far all had got.
struct alignas(64) WorkerWords {
  std::uint32_t made;            // positions of its ring that were given out, to the workers of the device
  std::uint32_t head;            // of the same ring, taken
  std::uint32_t host_head;       // of its ring from the dispatcher, taken
  std::uint32_t forwarded;       // by the dispatcher, to it; the dispatcher's own, as the next one
  std::uint32_t host_head_seen;  // what the dispatcher knows of host_head
  std::uint32_t urgent_made;     // as `made` and `head`, of its ring for urgent tasks
  std::uint32_t urgent_head;
  std::uint32_t locked;   // tasks of objects that the host has locked, and their locks: see LockedTasks
  std::uint32_t watched;  // the dispatcher's: what it has seen in ResidentView::running, and how often
  std::uint32_t seen;
};

/// Who leaves the launch: nobody, those who have nothing to do, or, after a fault, all.
enum class Park : std::uint32_t { no, idle, now };

/// Of all workers, in the device's memory.
struct alignas(64) SharedWords {
  std::uint64_t activity;      // a tally of what the device has made and finished
  std::uint32_t park;          // a Park
  std::uint32_t left;          // blocks that have
  std::uint32_t notices;       // positions of the ring to the host that were given out
  std::uint32_t notice_head;   // what is known of how many of these the host has taken
  std::uint32_t host_taken;    // tasks that the dispatcher has taken
  std::uint32_t peers;         // that are connected, the first ones of ResidentView::peers: by a stream of the host
  std::uint64_t traffic;       // with its peers
  std::uint32_t urgent_taken;  // as host_taken, of those that are urgent
  std::uint32_t connects;      // of the host, which raises it for each peer, so that a launch is there
};

enum class ResidentFault : std::uint32_t {
  none,
  held_too_many,
  host_does_not_take,
  foreign_object,
  awaits_too_many,
  flag_not_reached,
  locked_too_many,
  does_not_end
};

/// Of all workers, in pinned memory.
struct PinnedWords {
  alignas(64) std::uint32_t stop;  // by the host: end when nothing goes on
  std::uint32_t asked;  // by the host of one with peers: report when nothing goes on, and put this into `answered`
  alignas(64) std::uint32_t notices_taken;
  alignas(64) std::uint64_t activity;  // of the device, when nothing went on
  std::uint64_t traffic;               // and with its peers, by then
  std::uint32_t answered;
  std::uint32_t host_taken;
  std::uint32_t urgent_taken;
  std::uint32_t carried;  // the number of the last cargo that is there
  std::uint32_t ended;    // the number of the launch whose last block has left
  std::uint32_t fault;    // a ResidentFault, and of which entry
  std::uint32_t faulty_entry;
  std::uint32_t faulty_flag;  // flag_not_reached: its place in the list, what it has, what it should have
  std::uint32_t flag_has;
  std::uint32_t flag_wanted;
};

/// What a resident kernel gets: where its rings and words are.
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
  /// As the device fills it; the host takes.
  KAON_DEVICE CommandRing to_host() const {
    return {notice_slots, &shared->notice_head, &host->notices_taken, notice_capacity, Scope::system};
  }
};

}  // namespace kaon::gpu
