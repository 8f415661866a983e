// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <type_traits>

#include "kaon/gpu/resident/device/awaiting_tasks.hpp"
#include "kaon/gpu/resident/device/kept_objects.hpp"
#include "kaon/gpu/resident/device/locked_tasks.hpp"
#include "kaon/gpu/resident/device/peer_inbox.hpp"

namespace kaon::gpu {

/// The next action of a worker, or of the dispatcher.
enum class Turn : std::uint32_t {
  none,
  urgent,
  unlocked,
  from_device,
  from_host,
  from_guest,
  from_peer,
  awaited,
  pass_on,
  new_peer,
  give_up,
  report,
  note,
  watch,
  leave
};

struct NoKeptObjects {
  KAON_DEVICE void clear() {}
};

/// The state that the threads of a worker, a block or a warp of one, share. Uninitialised.
template <class Entries, bool is_warp>
struct WorkerShared {
  Turn turn;
  Command command;                            // that runs
  bool is_continued;                          // another one takes its place
  std::uint32_t values[notice::kMostValues];  // that it returns
  std::uint32_t held;                         // tasks that wait for room elsewhere
  std::uint32_t started;                      // tasks, in this launch and before
  [[no_unique_address]] AwaitingTasksOf<Entries, is_warp> awaiting;
  [[no_unique_address]] std::conditional_t<is_warp, NoKeptObjects, KeptObjects> kept;
  [[no_unique_address]] PeersSharedOf<Entries> from_peers;
  [[no_unique_address]] LockedSharedOf<Entries> locked;
};

}  // namespace kaon::gpu
