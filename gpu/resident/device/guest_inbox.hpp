// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/resident/wire/resident_view.hpp"

namespace kaon::gpu {

/// The state of the rings from guests that the threads of the dispatcher share. Uninitialised.
struct GuestInboxShared {
  std::uint32_t all_taken;  // of all guests
  std::uint32_t next;       // whose turn it is
  std::uint32_t found;      // whose task was taken last
  bool is_turn;             // the owner had the last one
  std::uint32_t taken[member::kMostGuests];
};

/// The rings from guests, as the first warp of the dispatcher looks at them: several at once, each by four lanes. All
/// threads of the warp call find() and take(), one of them the others.
template <class Words>
class GuestInbox {
  static constexpr unsigned kGroup = Words::kWarpLanes < 4 ? 1 : 4, kGroups = Words::kWarpLanes / kGroup;
  static constexpr unsigned kQuads = 4 / kGroup;

 public:
  struct Found {
    std::uint32_t guest;
    Quad quads[kQuads];  // of this lane
  };
  KAON_DEVICE GuestInbox(const ResidentView& view, GuestInboxShared& shared) : view_(view), shared_(shared) {}

  KAON_DEVICE void begin() const {
    shared_.all_taken = shared_.next = 0;
    shared_.is_turn = false;
    for (std::uint32_t i = 0; i < view_.guest_count; ++i)
      shared_.all_taken += shared_.taken[i] = Words::peek(&view_.guest_host[i].tasks_taken);
  }
  /// True if one of them has sent something. Changes nothing.
  KAON_DEVICE bool find(Found& found) const {
    for (std::uint32_t first = 0; first < view_.guest_count; first += kGroups) {
      const std::uint32_t turn = first + Words::lane() / kGroup;
      const std::uint64_t ready = Words::which(turn < view_.guest_count && look(place(turn), found));
      for (unsigned g = 0; g < kGroups && first + g < view_.guest_count; ++g) {
        found.guest = place(first + g);
        if ((~(ready >> (g * kGroup)) & ((std::uint64_t{1} << kGroup) - 1)) == 0) return true;
      }
    }
    return false;
  }
  /// Copies the command to memory that the block shares. Each thread sees what was written before that part of it at
  /// which it has looked; the first one hands it on, behind a fence of its own.
  KAON_DEVICE void take(const Found& found, Command& command) const {
    const std::uint32_t turn =
        found.guest >= shared_.next ? found.guest - shared_.next : found.guest + view_.guest_count - shared_.next;
    if (turn % kGroups == Words::lane() / kGroup)
      for (unsigned i = 0; i < kQuads; ++i) copy_quad(found.quads[i], Words::lane() % kGroup + i, command);
    Words::fence(Scope::system);
    Words::sync_warp();
    if (Words::lane() == 0) shared_.found = found.guest;
  }
  /// So many more were taken of the one that was found, and their slots are free.
  KAON_DEVICE void note_taken(std::uint32_t count) const {
    const std::uint32_t guest = shared_.found;
    shared_.all_taken += count;
    view_.from_guest(guest).template free<Words>(shared_.taken[guest] += count);
    shared_.next = guest + 1 < view_.guest_count ? guest + 1 : 0;
  }

 private:
  KAON_DEVICE std::uint32_t place(std::uint32_t turn) const {
    const std::uint32_t at = shared_.next + turn;
    return at < view_.guest_count ? at : at - view_.guest_count;
  }
  KAON_DEVICE bool look(std::uint32_t guest, Found& found) const {
    const std::uint32_t position = shared_.taken[guest];
    const CommandSlot& slot = view_.from_guest(guest).slots[position & (view_.host_capacity - 1)];
    bool is_there = true;
    for (unsigned i = 0; i < kQuads; ++i) {
      found.quads[i] = Words::look_at(slot.quads[Words::lane() % kGroup + i]);
      is_there &= found.quads[i].epoch == epoch_at(position);
    }
    return is_there;
  }

  const ResidentView& view_;
  GuestInboxShared& shared_;
};

}  // namespace kaon::gpu
