// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels that use the results of atomics, and the clock, with their bodies: this header is what is compiled.
#include <cstddef>
#include <cstdint>

#include <kaon/kernel.hpp>

namespace kaon::gpu::test {

/// Each step draws a ticket and marks the place of that number.
template <class Word>
struct DrawTickets {
  Word* next;
  std::uint32_t* drawn;  // how often each ticket was drawn
  std::size_t count;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    for (std::size_t i = at.index(); i < count; i += at.stride()) at.add_into(&drawn[at.fetch_add(next, 1)], 1U);
  }
};

/// Each block writes its cell and sets its bit. The block that sets the last bit adds up all cells.
template <class Word>
struct SumByLastBit {
  Word* bits;
  std::uint64_t* cells;  // one for each block
  unsigned long long* sum;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    if (!at.is_first()) return;
    const auto count = static_cast<unsigned>(at.blocks().volume());
    const auto mine = static_cast<unsigned>(at.blocks().number(at.block()));
    cells[mine] = mine + 1;
    const Word all = (Word{1} << count) - 1, own = Word{1} << mine;
    const Word before = at.fetch_or(bits, own);
    if ((before | own) != all || (before & own) != 0) return;
    for (unsigned block = 0; block < count; ++block) at.add_into(sum, cells[block]);
  }
};

/// Each thread writes its cell; the block that arrives last adds up all cells. Again and again.
struct SumByLast {
  static constexpr bool kIsCooperative = true;
  static constexpr bool kNeedsThreads = true;
  std::uint32_t* arrived;
  std::uint64_t* cells;      // one for each thread
  unsigned long long* sums;  // one for each round
  std::uint32_t rounds;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    const auto blocks = static_cast<std::uint32_t>(at.blocks().volume());
    for (std::uint32_t round = 0; round < rounds; ++round) {
      cells[at.index()] = at.index() + round;
      at.sync();
      if (at.is_first() && at.arrive(arrived, blocks))
        for (std::size_t i = 0; i < at.stride(); ++i) at.add_into(&sums[round], cells[i]);
      at.sync_grid();
    }
  }
};

/// Each block waits by the clock, and writes down when it began and ended.
struct WaitByClock {
  static constexpr bool kIsCooperative = true;
  std::uint64_t nanoseconds;
  std::uint64_t* times;  // begin and end of each block
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    if (!at.is_first()) return;
    std::uint64_t* const own = times + 2 * at.blocks().number(at.block());
    own[0] = at.nanoseconds();
    do own[1] = at.nanoseconds();
    while (own[1] - own[0] < nanoseconds);
  }
};

}  // namespace kaon::gpu::test

KAON_KERNEL(kaon::gpu::test::DrawTickets<std::uint32_t>);
KAON_KERNEL(kaon::gpu::test::DrawTickets<std::uint64_t>);
KAON_KERNEL(kaon::gpu::test::SumByLastBit<std::uint32_t>);
KAON_KERNEL(kaon::gpu::test::SumByLastBit<std::uint64_t>);
KAON_KERNEL(kaon::gpu::test::SumByLast);
KAON_KERNEL(kaon::gpu::test::WaitByClock);
