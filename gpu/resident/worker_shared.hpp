// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/resident/awaiting_tasks.hpp"
#include "kaon/gpu/resident/kept_objects.hpp"
#include "kaon/gpu/resident/peer_inbox.hpp"

namespace kaon::gpu {

/// What a worker, or the dispatcher, does next.
enum class Turn : std::uint32_t {
  none,
  from_device,
  from_host,
  from_peer,
  awaited,
  pass_on,
  new_peer,
  give_up,
  report,
  note,
  leave
};

/// What the threads of a worker share. Uninitialised.
struct WorkerShared {
  Turn turn;
  Command command;                                          // that runs
  bool is_continued;                                        // another one takes its place
  std::uint32_t values[Command::kWords - notice::kValues];  // that it returns
  std::uint32_t held;                                       // tasks that wait for room elsewhere
  AwaitingTasks awaiting;
  KeptObjects kept;
  PeerInboxShared from_peers;
};

}  // namespace kaon::gpu
