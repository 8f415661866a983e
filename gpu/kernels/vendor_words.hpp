// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/backends/api.hpp"

#if defined(KAON_DEVICE_COMPILER)
#include <cstdint>
#include <type_traits>

#include "kaon/gpu/kernels/quad.hpp"

namespace kaon::gpu {

/// Words and quads as threads of a real device hand them on. HostWords (host_words.hpp) has the same functions for the
/// host and the emulation.
struct VendorWords {
  /// Relaxed: for looks again and again, which may then be made side by side.
  KAON_DEVICE static std::uint32_t peek(const std::uint32_t* word) { return vendor::load_relaxed(word); }
  KAON_DEVICE static std::uint64_t peek(const std::uint64_t* word) { return vendor::load_relaxed(long_of(word)); }
  /// Relaxed, behind a fence of this thread.
  KAON_DEVICE static void set(std::uint32_t* word, std::uint32_t value) { vendor::store_relaxed(word, value); }
  /// Acquire, on the device.
  KAON_DEVICE static std::uint64_t load(const std::uint64_t* word) {
    return vendor::load_acquire_on_device(long_of(word));
  }
  /// Acquire, of that scope.
  KAON_DEVICE static std::uint32_t load(const std::uint32_t* word, Scope scope) {
    return scope == Scope::device ? vendor::load_acquire_on_device(word) : vendor::load_acquire(word);
  }
  /// Release, of that scope.
  KAON_DEVICE static void store(std::uint32_t* word, std::uint32_t value, Scope scope) {
    if (scope == Scope::device)
      vendor::store_release_on_device(word, value);
    else
      vendor::store_release(word, value);
  }
  KAON_DEVICE static void store(std::uint64_t* word, std::uint64_t value) {
    vendor::store_release(long_of(word), value);
  }
  /// Among threads of the device. What the word had before; relaxed.
  KAON_DEVICE static std::uint32_t add(std::uint32_t* word, std::uint32_t by) {
    return vendor::add_relaxed_on_device(word, by);
  }
  /// Returns the value that the word had before. Acquire and release, of that scope; `Word` has 4 or 8 bytes.
  template <class Word>
  KAON_DEVICE static Word fetch_add(Word* word, Word by, Scope scope) {
    using Native = NativeOf<Word>;
    auto* const cell = reinterpret_cast<Native*>(word);
    return scope == Scope::device ? vendor::fetch_add_on_device(cell, Native{by})
                                  : vendor::fetch_add_in_system(cell, Native{by});
  }
  template <class Word>
  KAON_DEVICE static Word fetch_or(Word* word, Word bits, Scope scope) {
    using Native = NativeOf<Word>;
    auto* const cell = reinterpret_cast<Native*>(word);
    return scope == Scope::device ? vendor::fetch_or_on_device(cell, Native{bits})
                                  : vendor::fetch_or_in_system(cell, Native{bits});
  }
  /// The same, for nobody who would wait.
  KAON_DEVICE static void count_relaxed(std::uint64_t* word, std::uint64_t by) {
    vendor::count_relaxed_on_device(long_of(word), by);
  }
  KAON_DEVICE static void count_release(std::uint64_t* word, std::uint64_t by) {
    vendor::count_release_on_device(long_of(word), by);
  }
  /// Adds to a word that a block shares, and returns its value before; relaxed.
  KAON_DEVICE static std::uint32_t add_in_block(std::uint32_t* word, std::uint32_t by) {
    return vendor::add_in_block(word, by);
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
  /// Whole only where the caller uses all four words, or one (cuda_words.hpp).
  KAON_DEVICE static Quad look_at(const Quad& at) {
    unsigned values[4];
    vendor::load_whole(at.words, values);
    return {{values[0], values[1], values[2]}, values[3]};
  }
  /// The same, acquiring for the whole system.
  KAON_DEVICE static Quad acquire(const Quad& at) {
    unsigned values[4];
    vendor::acquire_whole(at.words, values);
    return {{values[0], values[1], values[2]}, values[3]};
  }
  KAON_DEVICE static std::uint64_t nanoseconds() { return vendor::nanoseconds(); }
  /// Returns the value of a warp's first thread to all of its threads, each of which calls it.
  KAON_DEVICE static std::uint32_t agree(std::uint32_t value) { return vendor::of_first_in_warp(value); }
  /// This thread among those of its warp, and how many those are. Of blocks with threads along x alone.
  KAON_DEVICE static unsigned lane() { return threadIdx.x % kWarpLanes; }
  static constexpr unsigned kWarpLanes = vendor::kWarpLanes;
  /// Returns a bit for each thread of a warp, set where `is_true` is true. All of them call it.
  KAON_DEVICE static std::uint64_t which(bool is_true) { return vendor::which_of_warp(is_true); }
  /// Same as sync(), for the threads of a warp.
  KAON_DEVICE static void sync_warp() { vendor::sync_warp(); }

  /// Four quads side by side, looked at by a warp: each of four threads has one, so that they cross
  /// the bus together; one thread that asked for four would get them one after the other. Functions here are called by
  /// all threads of the warp.
  class Line {
   public:
    KAON_DEVICE void look_at(const Quad* quads) {
      if (lane() < 4) own_ = VendorWords::look_at(quads[lane()]);
    }
    KAON_DEVICE void acquire(const Quad* quads) {
      if (lane() < 4) own_ = VendorWords::acquire(quads[lane()]);
    }
    KAON_DEVICE bool is_of(std::uint32_t epoch) const {
      return vendor::is_true_for_warp(lane() >= 4 || own_.epoch == epoch);
    }
    /// Into memory that the block shares.
    KAON_DEVICE void copy_words(std::uint32_t* to) const {
      for (unsigned i = 0; i < 3 && lane() < 4; ++i) to[3 * lane() + i] = own_.words[i];
    }

   private:
    Quad own_{};
  };

 private:
  /// The type of this size that the vendor's functions take.
  template <class Word>
  using NativeOf = std::conditional_t<sizeof(Word) == 8, unsigned long long, unsigned>;
  KAON_DEVICE static unsigned long long* long_of(std::uint64_t* word) {
    return reinterpret_cast<unsigned long long*>(word);
  }
  KAON_DEVICE static const unsigned long long* long_of(const std::uint64_t* word) {
    return reinterpret_cast<const unsigned long long*>(word);
  }
};

}  // namespace kaon::gpu
#endif
