// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels whose threads hand values to each other, with their bodies: this header is what is compiled.
#include <cstddef>

#include <kaon/kernel.hpp>

namespace kaon::gpu::test {

/// Each block turns its values around: value i of it goes to the place of the last but i.
struct Turn {
  static constexpr bool kNeedsThreads = true;
  struct Shared {
    int values[kThreadsOfABlock];
  };
  int* values;
  template <class Context>
  KAON_DEVICE void operator()(Context& at, Shared& shared) const {
    const auto mine = static_cast<unsigned>(at.threads().number(at.thread()));
    const auto count = static_cast<unsigned>(at.threads().volume());
    shared.values[mine] = values[at.index()];
    at.sync();
    values[at.index()] = shared.values[count - 1 - mine];
  }
};

/// Same as Turn, without its barrier.
struct TurnWithoutBarrier {
  static constexpr bool kNeedsThreads = true;
  using Shared = Turn::Shared;
  int* values;
  template <class Context>
  KAON_DEVICE void operator()(Context& at, Shared& shared) const {
    const auto mine = static_cast<unsigned>(at.threads().number(at.thread()));
    const auto count = static_cast<unsigned>(at.threads().volume());
    shared.values[mine] = values[at.index()];
    values[at.index()] = shared.values[count - 1 - mine];
  }
};

/// Same as Turn, in memory whose size the launch sets.
struct TurnDynamic {
  static constexpr bool kNeedsThreads = true;
  int* values;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    const auto mine = static_cast<unsigned>(at.threads().number(at.thread()));
    const auto count = static_cast<unsigned>(at.threads().volume());
    int* const shared = at.dynamic_shared();
    shared[mine] = values[at.index()];
    at.sync();
    values[at.index()] = shared[count - 1 - mine];
  }
};

/// The results that each thread gets of each operation over its block.
template <class T, int kOffset>
struct Combine {
  static constexpr bool kNeedsThreads = true;
  static constexpr unsigned kMostThreads = 1024;
  const T* values;
  T *sums, *least, *most, *inclusive, *exclusive;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    const std::size_t i = at.index();
    const T value = values[i] + kOffset;
    sums[i] = at.sum(value);
    least[i] = at.min(value);
    most[i] = at.max(value);
    inclusive[i] = at.inclusive_scan(value);
    exclusive[i] = at.exclusive_scan(value);
  }
};

/// The sum of all values, by blocks that step over them: right with one thread a block too.
struct Total {
  const long long* values;
  std::size_t count;
  unsigned long long* total;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    unsigned long long sum = 0;
    for (std::size_t i = at.index(); i < count; i += at.stride()) sum += static_cast<unsigned long long>(values[i]);
    sum = at.sum(sum);
    if (at.is_first()) at.add_into(total, sum);
  }
};

/// Each block adds up what all blocks have written before the grid met, `rounds` times.
struct MeetAll {
  static constexpr bool kIsCooperative = true;
  unsigned* cells;  // one for each block
  unsigned* sums;   // of each block
  int rounds;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    const auto mine = static_cast<unsigned>(at.blocks().number(at.block()));
    const auto count = static_cast<unsigned>(at.blocks().volume());
    unsigned sum = 0;
    for (int round = 0; round < rounds; ++round) {
      if (at.is_first()) cells[mine] = mine + static_cast<unsigned>(round);
      at.sync_grid();
      if (at.is_first())
        for (unsigned block = 0; block < count; ++block) sum += cells[block];
      at.sync_grid();
    }
    if (at.is_first()) sums[mine] = sum;
  }
};

/// MeetAll with several threads a block.
struct MeetAllThreads : MeetAll {
  static constexpr bool kNeedsThreads = true;
  MeetAllThreads(unsigned* of_blocks, unsigned* of_sums, int count) : MeetAll{of_blocks, of_sums, count} {}
};

/// Adds 1 to each value, as soon as the kernel before has made it.
struct AddEarly {
  static constexpr bool kStartsEarly = true;
  int* values;
  std::size_t count;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    at.let_next_start();
    at.wait_for_earlier();
    for (std::size_t i = at.index(); i < count; i += at.stride()) ++values[i];
  }
};

/// values[i] += by
template <class T, int kBy>
struct AddTo {
  T* values;
  KAON_DEVICE void operator()(std::size_t i) const { values[i] += kBy; }
};

/// Some threads wait where the others never come. Only for the emulation, which says so: a device would hang.
struct Apart {
  static constexpr bool kNeedsThreads = true;
  enum class Way { other_barrier, ended } way;
  int* sum;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    const bool is_apart = at.thread().x % 2 == 1;
    if (way == Way::ended && is_apart) return;
    if (way == Way::other_barrier && is_apart)
      at.sync();
    else
      *sum = at.sum(1);
  }
};

}  // namespace kaon::gpu::test

KAON_KERNEL(kaon::gpu::test::Turn);
KAON_KERNEL(kaon::gpu::test::TurnWithoutBarrier);
KAON_KERNEL(kaon::gpu::test::TurnDynamic);
KAON_KERNEL(kaon::gpu::test::Combine<int, 0>);
KAON_KERNEL(kaon::gpu::test::Combine<double, -3>);
KAON_KERNEL(kaon::gpu::test::Total);
KAON_KERNEL(kaon::gpu::test::MeetAll);
KAON_KERNEL(kaon::gpu::test::MeetAllThreads);
KAON_KERNEL(kaon::gpu::test::AddEarly);
KAON_KERNEL(kaon::gpu::test::AddTo<long long, 3>);
KAON_KERNEL(kaon::gpu::test::Apart);
