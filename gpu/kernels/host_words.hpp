// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "kaon/gpu/backends/host_order.hpp"
#include "kaon/gpu/kernels/quad.hpp"

namespace kaon::gpu {

/// Words and quads as the host, and kernels of the emulation, hand them on. See VendorWords.
///
/// A quad's epoch is stored last and loaded first, so that it tells of its words; a device reads all 16 bytes of it at
/// once, of one line of the cache. So fences have nothing to do here, and what is relaxed there has an order here;
/// HostOrder tells ThreadSanitizer what order a device has.
struct HostWords {
  template <class Word>
  static Word peek(const Word* word) {
    const Word value = of(word).load(HostOrder::kLoad);
    HostOrder::after_load(word);
    return value;
  }
  static void set(std::uint32_t* word, std::uint32_t value) {
    HostOrder::before_store(word);
    of(word).store(value, HostOrder::kStore);
  }
  static std::uint64_t load(const std::uint64_t* word) { return acquired(word, false); }
  static std::uint32_t load(const std::uint32_t* word, Scope scope) { return acquired(word, scope == Scope::system); }
  static void store(std::uint32_t* word, std::uint32_t value, Scope scope) {
    release(word, value, scope == Scope::system);
  }
  static void store(std::uint64_t* word, std::uint64_t value) { release(word, value, true); }
  static std::uint32_t add(std::uint32_t* word, std::uint32_t by) {
    HostOrder::before_store(word);
    const std::uint32_t before = of(word).fetch_add(by, HostOrder::kBoth);
    HostOrder::after_load(word);
    return before;
  }
  template <class Word>
  static Word fetch_add(Word* word, Word by, Scope scope) {
    HostOrder::before_release(word, scope == Scope::system);
    const Word before = of(word).fetch_add(by, HostOrder::kBoth);
    HostOrder::after_acquire(word, scope == Scope::system);
    return before;
  }
  template <class Word>
  static Word fetch_or(Word* word, Word bits, Scope scope) {
    HostOrder::before_release(word, scope == Scope::system);
    const Word before = of(word).fetch_or(bits, HostOrder::kBoth);
    HostOrder::after_acquire(word, scope == Scope::system);
    return before;
  }
  static void count_relaxed(std::uint64_t* word, std::uint64_t by) {
    HostOrder::before_store(word);
    of(word).fetch_add(by, std::memory_order_relaxed);
  }
  static void count_release(std::uint64_t* word, std::uint64_t by) {
    HostOrder::before_release(word, false);
    of(word).fetch_add(by, HostOrder::kStore);
  }
  static std::uint32_t add_in_block(std::uint32_t* word, std::uint32_t by) { return add(word, by); }
  static void fence(Scope scope) { HostOrder::fence(scope == Scope::system); }
  static void put(Quad& to, const Quad& quad) {
    for (unsigned i = 0; i < 3; ++i) of(&to.words[i]).store(quad.words[i], std::memory_order_relaxed);
    HostOrder::before_store(&to.epoch);
    of(&to.epoch).store(quad.epoch, HostOrder::kStore);
  }
  static Quad look_at(const Quad& at) {
    Quad quad;
    quad.epoch = of(&at.epoch).load(HostOrder::kLoad);
    HostOrder::after_load(&at.epoch);
    for (unsigned i = 0; i < 3; ++i) quad.words[i] = of(&at.words[i]).load(std::memory_order_relaxed);
    return quad;
  }
  static Quad acquire(const Quad& at) {
    const Quad quad = look_at(at);
    HostOrder::after_acquire(&at.epoch, true);
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
    void acquire(const Quad* quads) {
      for (unsigned i = 0; i < 4; ++i) quads_[i] = HostWords::acquire(quads[i]);
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
  static Word acquired(const Word* word, bool for_all) {
    const Word value = of(word).load(HostOrder::kLoad);
    HostOrder::after_acquire(word, for_all);
    return value;
  }
  template <class Word>
  static void release(Word* word, Word value, bool for_all) {
    HostOrder::before_release(word, for_all);
    of(word).store(value, HostOrder::kStore);
  }
  template <class Word>
  static std::atomic_ref<Word> of(const Word* word) {
    return std::atomic_ref<Word>(*const_cast<Word*>(word));
  }
};

}  // namespace kaon::gpu
