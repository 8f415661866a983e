// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/backends/api.hpp"

namespace kaon::gpu {

/// The resources that a resident scheduler takes of a device, and the times after which it leaves it or gives up.
struct ResidentOptions {
  unsigned workers = 16;     // thread blocks, each of which runs one entry at a time; all of them run at once
  unsigned warp_blocks = 0;  // thread blocks beside these, each of whose warps runs entries of objects of warp size
  unsigned threads = 128;    // of each block; a multiple of those of a warp
  double idle_us = 1000;     // with nothing to do, until its kernel ends; it is started again when something comes
  unsigned ring = 256;       // tasks that wait for one worker, from the host and from the device each; a power of two
  unsigned held = 1024;      // tasks of one worker that wait for rings of others; more are a fault
  double patience_s = 10;    // for a host that does not take what it is told; then it is a fault
  double flag_patience_s = 60;   // for flags of a task that waits, while nothing else runs on its worker; the same
  double entry_patience_s = 60;  // for an entry to end; the same
  /// Says also what ran when the device itself has failed, as after an access to memory that is not there. Each start
  /// of an entry then crosses the bus.
  bool names_faults = false;

  /// Throws UsageError when they make no sense.
  void check() const;
  /// Workers that are warps, and all: blocks come first.
  unsigned warps() const { return warp_blocks * (threads / kThreadsOfAWarp); }
  unsigned all_workers() const { return workers + warps(); }
  /// All blocks; one of them is the dispatcher.
  unsigned blocks() const { return 1 + workers + warp_blocks; }
};

}  // namespace kaon::gpu
