// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace kaon::gpu {

/// The words of one worker, in the device's memory. Between two launches they keep how far each ring had got.
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

/// The blocks that leave the launch: none, those that have nothing to do, or, after a fault, all.
enum class Park : std::uint32_t { no, idle, now };

/// The words of all workers, in the device's memory.
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

/// The words of all workers, in pinned memory.
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

}  // namespace kaon::gpu
