// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace kaon::gpu {

/// A scheduler that PEs of a process share has members: its owner, number 0, and guests, which have rings of their own.
namespace member {
inline constexpr std::uint32_t kOwner = 0, kMostGuests = 63;
/// The ticket of a call has the member that waits for it above its number.
inline constexpr unsigned kTicketBits = 24;
inline constexpr std::uint32_t kMostTickets = (1U << kTicketBits) - 1;
}  // namespace member

/// The words of one guest, in the device's memory.
struct alignas(64) GuestWords {
  std::uint32_t notices;      // positions of the ring to it that were given out
  std::uint32_t notice_head;  // what is known of how many of these it has taken
};

/// The words of one guest, in pinned memory: those that one side writes for the other, each in a cache line of its own.
struct GuestPinnedWords {
  alignas(64) std::uint32_t tasks_taken;
  alignas(64) std::uint32_t notices_taken;
};

}  // namespace kaon::gpu
