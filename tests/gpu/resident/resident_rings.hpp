// SPDX-License-Identifier: Apache-2.0
// The memory of a resident scheduler without a kernel, so that a test is each of its sides.
#pragma once
#include <cstdint>
#include <vector>

#include "kaon/gpu/kernels/host_words.hpp"
#include "kaon/gpu/resident/wire/resident_view.hpp"

namespace kaon::gpu::test {

/// A list of entries as the parts of a scheduler ask for it; tests say what they have besides.
struct PlainEntries {
  static constexpr bool kHaveUrgent = false, kHavePeers = false, kHaveGuests = false, kHaveLockable = false,
                        kHaveAwaiting = false;
  static bool is_urgent_one(std::uint32_t) { return false; }
};

/// A command that has a number in each of its words.
inline Command command_of(std::uint32_t number) {
  Command command{};
  for (std::uint32_t& word : command.words) word = number++;
  return command;
}

inline void put(CommandSlot& slot, std::uint32_t position, const Command& command, unsigned from_quad = 0) {
  for (unsigned i = from_quad; i < 4; ++i)
    HostWords::put(slot.quads[i],
                   {{command.words[3 * i], command.words[3 * i + 1], command.words[3 * i + 2]}, epoch_at(position)});
}

/// Rings of `capacity` places, those between the host and the device of twice as many.
class ResidentRings {
 public:
  explicit ResidentRings(std::uint32_t workers, std::uint32_t capacity, std::uint32_t guests = 0)
      : workers_(workers),
        running_(workers),
        slots_(3UL * workers * capacity),
        from_host_(4UL * capacity),
        from_guests_(2UL * guests * capacity),
        peers_(owner::kMostPeers),
        guest_words_(guests) {
    view.workers = workers_.data();
    view.shared = &shared_;
    view.host = &host_;
    view.device_slots = slots_.data();
    view.forward_slots = view.device_slots + workers * capacity;
    view.urgent_slots = view.forward_slots + workers * capacity;
    view.host_slots = from_host_.data();
    view.urgent_host_slots = view.host_slots + 2UL * capacity;
    view.guest_slots = from_guests_.data();
    view.guest_host = guest_words_.data();
    view.peers = peers_.data();
    view.running = running_.data();
    view.worker_count = workers;
    view.guest_count = guests;
    view.capacity = capacity;
    view.host_capacity = 2 * capacity;
  }
  ResidentRings(const ResidentRings&) = delete;
  ResidentRings& operator=(const ResidentRings&) = delete;

  ResidentView view{};

 private:
  std::vector<WorkerWords> workers_;
  std::vector<std::uint32_t> running_;
  std::vector<CommandSlot> slots_, from_host_, from_guests_;
  std::vector<PeerView> peers_;
  std::vector<GuestPinnedWords> guest_words_;
  SharedWords shared_{};
  PinnedWords host_{};
};

}  // namespace kaon::gpu::test
