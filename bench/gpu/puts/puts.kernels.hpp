// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels that start puts through a ring, and those that wait for them. Every wait ends after 2 s.
#include <cstdint>

#include <kaon/kernel.hpp>

#include "kaon/gpu/kernels/flag_device.hpp"
#include "kaon/gpu/puts/put_ring.hpp"

namespace put_bench {

using kaon::gpu::FlagWord;

/// The first and the last 4 bytes of each put, by which its arrival is checked.
struct Ends {
  unsigned char* memory;
  std::uint64_t bytes;  // of each put
  KAON_DEVICE std::uint32_t* first(std::uint32_t put) const {
    return reinterpret_cast<std::uint32_t*>(memory + put * bytes);
  }
  KAON_DEVICE std::uint32_t* last(std::uint32_t put) const {
    return reinterpret_cast<std::uint32_t*>(memory + (put + 1) * bytes - 4);
  }
  KAON_DEVICE void write(std::uint32_t put, std::uint32_t value) const { *first(put) = *last(put) = value; }
  KAON_DEVICE bool have(std::uint32_t put, std::uint32_t value) const {
    return *first(put) == value && *last(put) == value;
  }
};

/// Starts put after put, each when the one before was answered. ns[i]: from the start to the answer; 0: none came.
struct PostPuts {
  static constexpr bool kIsCooperative = true;
  kaon::gpu::PutRing ring;
  Ends source;
  FlagWord answer;
  std::uint32_t count;
  std::uint32_t* ns;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    if (!at.is_first()) return;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t put = i % ring.puts;
      source.write(put, i + 1);
      const std::uint64_t begin = at.nanoseconds();
      if (!ring.start(at, put, i + 1) || !at.wait_for(answer, i + 1)) return;
      ns[i] = static_cast<std::uint32_t>(at.nanoseconds() - begin);
    }
  }
};

/// Starts puts as fast as the ring takes them.
struct FloodPuts {
  static constexpr bool kIsCooperative = true;
  kaon::gpu::PutRing ring;
  std::uint32_t count;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    if (!at.is_first()) return;
    for (std::uint32_t i = 0; i < count; ++i)
      if (!ring.start(at, i % ring.puts, i + 1)) return;
  }
};

/// Waits for put after put, checks its data and answers. wrong: how many did not come, or not whole.
struct AnswerPuts {
  static constexpr bool kIsCooperative = true;
  FlagWord flags;  // one for each put
  FlagWord answer;
  Ends target;
  std::uint32_t puts, count;
  std::uint32_t* wrong;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    if (!at.is_first()) return;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!at.wait_for({flags.word + i % puts}, i + 1)) return at.add_into(wrong, count - i);
      if (!target.have(i % puts, i + 1)) at.add_into(wrong, 1U);
      at.raise_to(answer, i + 1);
    }
  }
};

/// Waits for put after put, and writes down when each came.
struct TimePuts {
  static constexpr bool kIsCooperative = true;
  FlagWord flags;
  std::uint32_t puts, count;
  std::uint64_t* times;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    if (!at.is_first()) return;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!at.wait_for({flags.word + i % puts}, i + 1)) return;
      times[i] = at.nanoseconds();
    }
  }
};

}  // namespace put_bench

KAON_KERNEL(put_bench::PostPuts);
KAON_KERNEL(put_bench::FloodPuts);
KAON_KERNEL(put_bench::AnswerPuts);
KAON_KERNEL(put_bench::TimePuts);
