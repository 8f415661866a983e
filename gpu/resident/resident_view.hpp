// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/resident/command_ring.hpp"

namespace kaon::gpu {

/// What is asked of a worker: an entry, of an object, with its arguments.
namespace task {
inline constexpr unsigned kEntry = 0, kObject = 1, kReply = 3, kArguments = 4;  // places among the words
inline constexpr std::uint32_t kNoReply = 0;
}  // namespace task
/// What the device asks of the host: a target, and values for it.
namespace notice {
inline constexpr unsigned kTarget = 0, kTicket = 1, kValues = 2;
inline constexpr std::uint32_t kReply = 0;  // the target: who called, by the ticket
}  // namespace notice
inline constexpr std::size_t kMostArgumentBytes = sizeof(std::uint32_t) * (Command::kWords - task::kArguments);

/// A task for another worker whose ring was full.
struct HeldTask {
  Command command;
  std::uint32_t worker;
};

/// Of one worker, in the device's memory. Between two launches it keeps how far the worker had got.
struct alignas(64) WorkerWords {
  std::uint32_t tail;         // of the ring from this device, given out to its producers
  std::uint32_t head;         // of the same, taken
  std::uint32_t host_taken;   // of the ring from the host
  std::uint32_t held;         // tasks that wait for room elsewhere
};

/// Of one worker, in pinned memory.
struct alignas(64) WorkerReport {
  std::uint64_t activity;    // as it was when the worker last had nothing to do
  std::uint32_t host_taken;  // of the ring from the host
};

/// Of all workers, in the device's memory.
struct alignas(64) SharedWords {
  std::uint64_t activity;   // tasks that the device has made, times 2^32, and those that it has finished
  std::uint32_t taken;      // tasks that came from the host
  std::uint32_t park;       // 1: who has nothing to do leaves
  std::uint32_t left;       // workers that have
  std::uint32_t notices;    // given out of the ring to the host
  std::uint32_t host_head;  // what is known of how many of these the host has taken
};

enum class ResidentFault : std::uint32_t { none, held_too_many, host_does_not_take };

/// Of all workers, in pinned memory.
struct alignas(64) HostWordsOfResident {
  std::uint32_t stop;       // by the host: leave, now
  std::uint32_t notices_taken;
  alignas(64) std::uint32_t ended;  // the number of the launch whose last worker has left
  std::uint32_t fault;              // a ResidentFault, and of which entry
  std::uint32_t faulty_entry;
};

/// What a resident kernel gets: where its rings and words are.
struct ResidentView {
  WorkerWords* workers;
  SharedWords* shared;
  CommandSlot* device_slots;  // of each worker, one behind the other
  HeldTask* held;             // of each worker
  CommandSlot* host_slots;    // of each worker; pinned, as are those below
  WorkerReport* reports;
  HostWordsOfResident* host;
  CommandSlot* notice_slots;
  std::uint32_t worker_count;
  std::uint32_t device_capacity, held_capacity, host_capacity, notice_capacity;
  std::uint32_t launch;        // its number
  std::uint64_t idle_ns;       // until it parks
  std::uint64_t patience_ns;   // for a host that does not take what it is told

  /// Tasks from this device for a worker.
  KAON_DEVICE CommandRing from_device(std::uint32_t worker) const {
    return {device_slots + std::size_t{worker} * device_capacity, &workers[worker].head, nullptr, device_capacity,
            Scope::device};
  }
  /// Tasks from the host for a worker. The producer's half is the host's.
  KAON_DEVICE CommandRing from_host(std::uint32_t worker) const {
    return {host_slots + std::size_t{worker} * host_capacity, &reports[worker].host_taken, nullptr, host_capacity,
            Scope::system};
  }
  /// As the device fills it.
  KAON_DEVICE CommandRing to_host() const {
    return {notice_slots, &shared->host_head, &host->notices_taken, notice_capacity, Scope::system};
  }
};

}  // namespace kaon::gpu
