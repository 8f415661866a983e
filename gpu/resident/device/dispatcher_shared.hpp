// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/resident/device/guest_inbox.hpp"
#include "kaon/gpu/resident/device/worker_shared.hpp"

namespace kaon::gpu {

/// The state that the threads of the dispatcher share.
struct DispatcherShared {
  static constexpr unsigned kAhead = 32;  // tasks that are looked at side by side when one has come
  Turn turns[2];                          // by turns
  std::uint32_t taken;                    // tasks of the host
  std::uint32_t urgent_taken;             // and those that are urgent
  GuestInboxShared guests;                // where there are some
  std::uint64_t reported;                 // what the host has been told of the device's activity
  std::uint32_t answered;                 // and what it had asked
  bool has_reported;
  std::uint64_t idle_since;
  std::uint64_t noted;  // the activity, when the host wants the end and something is left
  std::uint64_t noted_at;
  std::uint64_t watched_at;  // when it has looked at what workers run
  Command command;
  Command ahead[kAhead];
  bool is_here[4 * kAhead];  // by quad
};

}  // namespace kaon::gpu
