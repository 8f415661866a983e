// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

#include "kaon/gpu/backends/driver.hpp"
#include "kaon/gpu/device/held_work.hpp"
#include "kaon/gpu/device/known_waits.hpp"
#include "kaon/gpu/device/shared_marks.hpp"

namespace kaon::gpu {

class Device;

/// A stream of the back end, counted: every piece of work given to it moves its position by one. Lives as long as its
/// device, so that whoever notes (stream, position) may ask at any time; a Stream borrows one.
///
/// `reached` is what is known of how far the device has got; it only grows. Written by any PE that saw an event there
/// (release, after the event was seen), read by those who then use the memory (acquire). All else is the owner's.
struct StreamState {
  static constexpr std::uint64_t kNothing = std::numeric_limits<std::uint64_t>::max();
  Device* owner = nullptr;
  NativeStream native = nullptr;
  int device = 0;
  StreamPriority priority = StreamPriority::normal;
  bool is_foreign = false;      // somebody else made it, and gives it work that is not counted
  std::uint32_t adopters = 0;   // of a foreign one: without any it may have been destroyed, and gets nothing more
  bool is_of_runtime = false;   // takes work of all chares: no wait for a flag ever stands before that
  std::uint64_t submitted = 0;  // what is held back among it
  std::uint64_t held_from = kNothing;  // the device was not given yet what lies behind this position
  std::unique_ptr<HeldWork> held;      // from the first time on that it holds something back
  std::atomic<std::uint64_t> reached{0};
  // Behind its last open-ended work (see FreeGate): that may wait for what a thread of the process does next. Written
  // by the owner.
  std::atomic<std::uint64_t> open_ended{0};
  std::uint64_t* word = nullptr;  // pinned, where the device itself writes how far it has got; nullptr: it does not
  SharedMarks marks;              // for other PEs of the process
  KnownWaits waits;               // what it waits for already
  std::atomic<std::uint64_t> flag_wait{0};  // behind its last wait for a flag, or for a stream that may wait for one

  /// For other PEs of the process, whatever comes behind it.
  void mark_for_others(Driver& driver) { marks.add(driver, device, native, submitted); }
  bool is_holding() const { return held_from != kNothing; }
  /// True if work before the position is held back. For the owner's thread only.
  bool holds(std::uint64_t position) const { return position > held_from; }
  /// The position behind all that the device was given.
  std::uint64_t launched() const { return std::min(submitted, held_from); }
  /// The position behind all that was given to it by now.
  std::uint64_t all_given() {
    if (is_foreign && !is_left()) ++submitted;
    return submitted;
  }
  /// True if its owner may have destroyed it. Work given to it by then has an event after it.
  bool is_left() const { return is_foreign && adopters == 0; }
  bool has_reached(std::uint64_t position) const { return reached.load(std::memory_order_acquire) >= position; }
  /// True if it may stall until a flag is raised, as far as is known. Any thread, for work handed to it.
  bool may_wait_for_flag() const { return !has_reached(flag_wait.load(std::memory_order_relaxed)); }
  /// The last that it was given is such a wait. The owner's thread.
  void note_flag_wait() { flag_wait.store(submitted, std::memory_order_relaxed); }
  /// True if it may not come to an end by itself, as far as is known. Any thread.
  bool is_open_ended() const { return !has_reached(open_ended.load(std::memory_order_seq_cst)); }
  /// The open-ended work before this position ends by itself from now on. By the owner.
  void end_open_ended(std::uint64_t position) {
    if (open_ended.load(std::memory_order_relaxed) == position) open_ended.store(0, std::memory_order_seq_cst);
  }
  /// True if the device has written that it has reached the position.
  bool has_written(std::uint64_t position) const {
    return word != nullptr && std::atomic_ref<std::uint64_t>(*word).load(std::memory_order_acquire) >= position;
  }
  void note_reached(std::uint64_t position) {
    std::uint64_t known = reached.load(std::memory_order_relaxed);
    while (known < position &&
           !reached.compare_exchange_weak(known, position, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }
};

/// A place in a stream: everything given to the stream before it. Without a stream it is always reached.
struct Position {
  StreamState* stream = nullptr;
  std::uint64_t count = 0;
  bool is_known_reached() const { return stream == nullptr || stream->has_reached(count); }
  /// True if work after it may stall until a flag is raised. Also true when the stream waits for a flag after the
  /// position: the event to wait for may be recorded only now.
  bool may_wait_for_flag() const { return !is_known_reached() && stream->may_wait_for_flag(); }
  /// True if a wait for it may never end. Also true when the stream's open-ended work came later: the event for a
  /// waiter is recorded after that work.
  bool is_open_ended() const { return !is_known_reached() && stream->is_open_ended(); }
};

/// Where both are reached; nothing, if no single position says that, or if only one of them is known to be reached:
/// memory that is free at once stays so.
inline std::optional<Position> later_of(Position one, Position other) {
  if (one.is_known_reached()) one = {};
  if (other.is_known_reached()) other = {};
  if (one.stream != other.stream) return std::nullopt;
  return Position{one.stream, std::max(one.count, other.count)};
}

}  // namespace kaon::gpu
