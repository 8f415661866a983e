// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>

namespace kaon::ampi {

/// A mutex in memory that processes of a host may share, held for a few instructions or one copy. A thread that does
/// not get it sleeps in the kernel. The three states are those of U. Drepper, "Futexes Are Tricky" (2011), section 5.
class FutexLock {
 public:
  void lock() noexcept {
    std::uint32_t seen = kFree;
    // acquire: the holder before has written what this one reads
    if (!word_.compare_exchange_strong(seen, kHeld, std::memory_order_acquire, std::memory_order_relaxed)) wait(seen);
  }
  void unlock() noexcept {
    // release: the next holder sees what this one has written
    if (word_.exchange(kFree, std::memory_order_release) == kAwaited) wake();
  }

 private:
  static constexpr std::uint32_t kFree = 0;
  static constexpr std::uint32_t kHeld = 1;
  static constexpr std::uint32_t kAwaited = 2;  // held, and a thread may sleep

  void wait(std::uint32_t seen) noexcept;
  void wake() noexcept;

  std::atomic<std::uint32_t> word_ = kFree;
};

}  // namespace kaon::ampi
