// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>

namespace kaon::gpu {

/// The order that relaxed accesses and fences of the emulation give, as ThreadSanitizer is to see it. A host processor
/// orders more than a device does, so a fence missing in a kernel never shows in the results of the emulation. With
/// ThreadSanitizer it is a data race, by the memory model of a device:
///
/// * Writes before a fence are visible after the fence of another thread, if a load before the second fence has read a
///   relaxed store that follows the first one.
/// * A fence for the threads of the device orders nothing for the host, and the other way round.
///
/// Without ThreadSanitizer the accesses themselves have these orders, and the functions here do nothing.
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
