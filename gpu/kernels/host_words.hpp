// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "kaon/gpu/kernels/quad.hpp"

namespace kaon::gpu {

/// Words and quads as the host, and kernels of the emulation, hand them on. See VendorWords.
///
/// A quad's epoch is stored last and loaded first, so that it tells of its words; a device reads all 16 bytes of it at
/// once, of one line of the cache. So fences have nothing to do here, and what is relaxed there has an order here.
struct HostWords {
  template <class Word>
  static Word peek(const Word* word) {
    return of(word).load(std::memory_order_acquire);
  }
  static void set(std::uint32_t* word, std::uint32_t value) { of(word).store(value, std::memory_order_release); }
  static std::uint64_t load(const std::uint64_t* word) { return peek(word); }
  static std::uint32_t load(const std::uint32_t* word, Scope) { return peek(word); }
  static void store(std::uint32_t* word, std::uint32_t value, Scope) { set(word, value); }
  static void store(std::uint64_t* word, std::uint64_t value) { of(word).store(value, std::memory_order_release); }
  static std::uint32_t add(std::uint32_t* word, std::uint32_t by) {
    return of(word).fetch_add(by, std::memory_order_acq_rel);
  }
  static void count_relaxed(std::uint64_t* word, std::uint64_t by) {
    of(word).fetch_add(by, std::memory_order_relaxed);
  }
  static void count_release(std::uint64_t* word, std::uint64_t by) {
    of(word).fetch_add(by, std::memory_order_release);
  }
  static std::uint32_t add_in_block(std::uint32_t* word, std::uint32_t by) { return add(word, by); }
  static void fence(Scope) {}
  static void put(Quad& to, const Quad& quad) {
    for (unsigned i = 0; i < 3; ++i) of(&to.words[i]).store(quad.words[i], std::memory_order_relaxed);
    of(&to.epoch).store(quad.epoch, std::memory_order_release);
  }
  static Quad look_at(const Quad& at) {
    Quad quad;
    quad.epoch = of(&at.epoch).load(std::memory_order_acquire);
    for (unsigned i = 0; i < 3; ++i) quad.words[i] = of(&at.words[i]).load(std::memory_order_relaxed);
    return quad;
  }
  static std::uint64_t nanoseconds() {
    return static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now().time_since_epoch()).count());
  }
  static std::uint32_t agree(std::uint32_t value) { return value; }  // a warp has one thread
  static unsigned lane() { return 0; }
  static constexpr unsigned kWarpLanes = 1;
  static std::uint64_t which(bool is_true) { return is_true ? 1 : 0; }
  static void sync_warp() {}

  /// Four quads side by side, looked at by one thread.
  class Line {
   public:
    void look_at(const Quad* quads) {
      for (unsigned i = 0; i < 4; ++i) quads_[i] = HostWords::look_at(quads[i]);
    }
    bool is_of(std::uint32_t epoch) const {
      for (const Quad& quad : quads_)
        if (quad.epoch != epoch) return false;
      return true;
    }
    void copy_words(std::uint32_t* to) const {
      for (const Quad& quad : quads_)
        for (const std::uint32_t word : quad.words) *to++ = word;
    }

   private:
    std::array<Quad, 4> quads_;
  };

 private:
  using Clock = std::chrono::steady_clock;
  template <class Word>
  static std::atomic_ref<Word> of(const Word* word) {
    return std::atomic_ref<Word>(*const_cast<Word*>(word));
  }
};

}  // namespace kaon::gpu
