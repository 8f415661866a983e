// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/backends/api.hpp"

#if defined(KAON_DEVICE_COMPILER)
#include <cstdint>

#include "kaon/gpu/kernels/quad.hpp"

namespace kaon::gpu {

/// Words and quads as threads of a real device hand them on. HostWords (host_words.hpp) has the same functions for the
/// host and the emulation.
struct VendorWords {
  /// Relaxed: for looks again and again, which may then be made side by side.
  KAON_DEVICE static std::uint32_t peek(const std::uint32_t* word) { return vendor::load_relaxed(word); }
  KAON_DEVICE static std::uint64_t peek(const std::uint64_t* word) {
    return vendor::load_relaxed(reinterpret_cast<const unsigned long long*>(word));
  }
  /// Relaxed, behind a fence of this thread.
  KAON_DEVICE static void set(std::uint32_t* word, std::uint32_t value) { vendor::store_relaxed(word, value); }
  /// Acquire, of that scope.
  KAON_DEVICE static std::uint32_t load(const std::uint32_t* word, Scope scope) {
    return scope == Scope::device ? vendor::load_acquire_on_device(word) : vendor::load_acquire(word);
  }
  KAON_DEVICE static std::uint64_t load(const std::uint64_t* word) {
    return vendor::load_acquire_on_device(reinterpret_cast<const unsigned long long*>(word));
  }
  /// Release, of that scope.
  KAON_DEVICE static void store(std::uint32_t* word, std::uint32_t value, Scope scope) {
    if (scope == Scope::device)
      vendor::store_release_on_device(word, value);
    else
      vendor::store_release(word, value);
  }
  KAON_DEVICE static void store(std::uint64_t* word, std::uint64_t value) {
    vendor::store_release(reinterpret_cast<unsigned long long*>(word), value);
  }
  /// Among threads of the device; acquire and release. What the word had before.
  KAON_DEVICE static std::uint32_t add(std::uint32_t* word, std::uint32_t by) {
    return vendor::add_on_device(word, by);
  }
  KAON_DEVICE static void add_relaxed(std::uint64_t* word, std::uint64_t by) {
    vendor::add_relaxed_on_device(reinterpret_cast<unsigned long long*>(word), by);
  }
  KAON_DEVICE static void add_release(std::uint64_t* word, std::uint64_t by) {
    vendor::add_release_on_device(reinterpret_cast<unsigned long long*>(word), by);
  }
  /// Between what others shall see and quads that tell them; and behind such quads.
  KAON_DEVICE static void fence(Scope scope) {
    if (scope == Scope::device)
      vendor::fence_on_device();
    else
      vendor::fence_in_system();
  }
  KAON_DEVICE static void put(Quad& to, const Quad& quad) {
    const unsigned values[4] = {quad.words[0], quad.words[1], quad.words[2], quad.epoch};
    vendor::store_whole(to.words, values);
  }
  KAON_DEVICE static Quad look_at(const Quad& at) {
    unsigned values[4];
    vendor::load_whole(at.words, values);
    return {{values[0], values[1], values[2]}, values[3]};
  }
  KAON_DEVICE static std::uint64_t nanoseconds() { return vendor::nanoseconds(); }
};

}  // namespace kaon::gpu
#endif
