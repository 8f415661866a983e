// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <thread>

#include "kaon/gpu/backends/host_fibres.hpp"
#include "kaon/gpu/backends/host_queue.hpp"

namespace kaon::gpu {

class HostEngine;
struct HostStream;

/// One record of an event: a place in a stream. Shared, because the event may be recorded anew or destroyed while
/// streams still wait for this place.
struct HostMark {
  // Guarded by the engine's mutex.
  HostStream* stream = nullptr;  // valid until it is reached; nullptr: it does not matter
  bool is_reached = false;
  std::chrono::steady_clock::time_point reached_at{};
};

struct HostEvent {
  int device = 0;
  std::shared_ptr<HostMark> latest;  // guarded by the engine's mutex; nullptr: never recorded
};

/// Work of a stream of the emulation: exactly one of work, reaches and awaits.
struct HostOperation {
  /// A part of the work, which may wait for what others do meanwhile: called until it says that it was the last.
  std::function<HostStep()> work;
  std::shared_ptr<HostMark> reaches;
  std::shared_ptr<HostMark> awaits;
  bool is_delayed = false;
  bool is_flag_wait = false;  // its work
  bool has_begun = false;
};

/// The operations of one stream, in order. All of it is guarded by the engine's mutex.
struct HostStream {
  explicit HostStream(HostEngine& owner) : engine(owner) {}

  HostEngine& engine;
  int device = 0;  // set before anybody else knows the stream
  std::atomic<bool> is_capturing{false};
  std::deque<HostOperation> waiting;
  bool is_busy = false;    // one of its operations runs
  bool is_closed = false;  // destroyed by its user: ends when nothing is waiting
  bool is_over = false;    // its thread is about to end
  std::minstd_rand pauses;
  std::unique_ptr<HostFibres> fibres;  // made when a kernel needs them; touched by who runs an operation
  std::jthread thread;                 // none when the engine is seeded

  void end() {
    is_over = true;
    fibres.reset();  // many stacks
  }
  /// True if the stream waits for a flag, or for a stream that does.
  bool stands() const {
    if (waiting.empty()) return false;
    const HostOperation& first = waiting.front();
    if (first.is_flag_wait) return first.has_begun;
    return first.awaits != nullptr && !first.awaits->is_reached && first.awaits->stream != nullptr &&
           first.awaits->stream->stands();
  }
  bool is_ready() const {
    if (is_busy || waiting.empty()) return false;
    const HostMark* const awaited = waiting.front().awaits.get();
    return awaited == nullptr || awaited->is_reached;
  }
};

}  // namespace kaon::gpu
