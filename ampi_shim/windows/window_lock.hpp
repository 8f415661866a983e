// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>

namespace kaon::ampi {

/// The two kinds of MPI_Win_lock.
enum class LockKind : std::uint8_t { shared, exclusive };

/// The state of the lock of one rank's part of a window, in memory of its process, or shared by those of a host. A rank
/// that reaches it takes a free lock by one instruction, without help of the target. All others queue at the target,
/// whose LockQueue sets `queued` meanwhile: then nobody may take the lock past the queue.
///
///   bit 0: held exclusively; bit 1: requests are queued; from bit 2 on: the number of shared holders
class WindowLock {
 public:
  /// False: it is held in a way that excludes this one, or requests are queued.
  bool try_take(LockKind kind) noexcept { return try_take(kind, kExclusive | kQueued); }
  /// For the head of the queue.
  bool try_take_queued(LockKind kind) noexcept { return try_take(kind, kExclusive); }
  /// True: requests are queued, and the target must serve them.
  [[nodiscard]] bool release(LockKind kind) noexcept {
    // release: the next holder sees what was done under the lock; acquire is the other half of taking
    const std::uint64_t was = word_.fetch_sub(unit(kind), std::memory_order_acq_rel);
    return (was & kQueued) != 0;
  }
  /// By the target alone.
  void set_queued(bool are) noexcept {
    if (are)
      word_.fetch_or(kQueued, std::memory_order_acq_rel);
    else
      word_.fetch_and(~kQueued, std::memory_order_acq_rel);
  }
  bool is_held() const noexcept { return (word_.load(std::memory_order_acquire) & ~kQueued) != 0; }

 private:
  static constexpr std::uint64_t kExclusive = 1;
  static constexpr std::uint64_t kQueued = 2;
  static constexpr std::uint64_t kOneShared = 4;

  static constexpr std::uint64_t unit(LockKind kind) { return kind == LockKind::exclusive ? kExclusive : kOneShared; }

  // The loop ends: another thread has changed the word each time that it goes on.
  bool try_take(LockKind kind, std::uint64_t excluding) noexcept {
    std::uint64_t seen = word_.load(std::memory_order_relaxed);
    const std::uint64_t shared = ~(kExclusive | kQueued);
    const std::uint64_t refused = kind == LockKind::exclusive ? excluding | shared : excluding;
    while ((seen & refused) == 0)
      // acquire: sees what the holder before has done
      if (word_.compare_exchange_weak(seen, seen + unit(kind), std::memory_order_acq_rel, std::memory_order_relaxed))
        return true;
    return false;
  }

  std::atomic<std::uint64_t> word_ = 0;
};

}  // namespace kaon::ampi
