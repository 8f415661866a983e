// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>

namespace kaon::gpu {

/// What relaxed accesses and fences of the emulation order, as ThreadSanitizer is to see it. The processor of the host
/// orders more than a device, so that a fence which is missing in a kernel never shows in what the emulation computes;
/// built with ThreadSanitizer it is a data race, as the memory model of a device has it:
///
/// * what a thread did before a fence is seen behind another one's fence, if a relaxed store that follows the first was
///   read by a load before the second;
/// * a fence for the threads of the device does nothing for the host, and the other way round.
///
/// Without ThreadSanitizer accesses have their order themselves, and all of this is nothing.
struct HostOrder {
#if KAON_SANITIZES_THREADS
  static constexpr auto kLoad = std::memory_order_relaxed, kStore = std::memory_order_relaxed,
                        kBoth = std::memory_order_relaxed;
  /// This thread, or fibre, is one of a device from now on.
  static void enter_device() noexcept;
  /// `for_all`: for the host and other devices too.
  static void fence(bool for_all) noexcept;
  /// Around relaxed accesses.
  static void before_store(const void* word) noexcept;
  static void after_load(const void* word) noexcept;
  /// Around those that release or acquire.
  static void before_release(const void* word, bool for_all) noexcept;
  static void after_acquire(const void* word, bool for_all) noexcept;
#else
  static constexpr auto kLoad = std::memory_order_acquire, kStore = std::memory_order_release,
                        kBoth = std::memory_order_acq_rel;
  static void enter_device() noexcept {}
  static void fence(bool) noexcept {}
  static void before_store(const void*) noexcept {}
  static void after_load(const void*) noexcept {}
  static void before_release(const void*, bool) noexcept {}
  static void after_acquire(const void*, bool) noexcept {}
#endif
};

}  // namespace kaon::gpu
