// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include <kaon/kernel.hpp>

#include "kaon/gpu/kernels/flag_device.hpp"

namespace kaon::gpu::test {

/// Answers each of `rounds` calls, which are raises of `call` by one: takes what lies in *question, puts its double
/// into *answer and raises `reply`. In *served: how many it has answered before one did not come.
struct Echo {
  static constexpr bool kIsCooperative = true;
  FlagWord call, reply;
  const std::uint64_t* question;
  std::uint64_t* answer;
  std::uint32_t* served;
  std::uint32_t rounds, first;
  std::uint32_t asked;  // rounds that come, however late
  WaitLimit limit;      // for those after them
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    if (!at.is_first()) return;
    std::uint32_t round = 0;
    while (round < rounds && at.wait_for(call, first + round + 1, round < asked ? WaitLimit{60'000'000'000} : limit)) {
      *answer = *question * 2;
      at.raise_to(reply, first + ++round);
    }
    *served = round;
  }
};

/// Each block has a cell of its own, and waits for its left neighbour's before it adds that to its own: values go
/// around a ring, `rounds` times. Flags count rounds.
struct PassOn {
  static constexpr bool kIsCooperative = true;
  FlagWord done;  // one word for each block, one behind the other
  std::uint64_t* cells;
  std::uint32_t rounds;
  std::uint32_t* failures;
  KAON_DEVICE FlagWord of(unsigned block) const { return {done.word + block}; }
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    if (!at.is_first()) return;
    const auto count = static_cast<unsigned>(at.blocks().volume());
    const auto mine = static_cast<unsigned>(at.blocks().number(at.block()));
    const unsigned left = (mine + count - 1) % count, right = (mine + 1) % count;
    for (std::uint32_t round = 1; round <= rounds; ++round) {
      // Block 0 begins; who comes next must have read what is written over.
      const bool is_here = mine == 0 ? at.wait_for(of(left), round - 1) : at.wait_for(of(left), round);
      if (!is_here || !at.wait_for(of(right), round - 1)) {
        at.add_into(failures, 1U);
        return;
      }
      cells[mine] = cells[left] + 1;
      at.raise(of(mine));
    }
  }
};

/// Fills `values` with `value`, and says so.
struct Produce {
  std::uint64_t* values;
  std::size_t count;
  std::uint64_t value;
  FlagWord done;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    for (std::size_t i = at.index(); i < count; i += at.stride()) values[i] = value;
    at.sync();
    if (at.is_first()) at.raise(done);
  }
};

/// Waits for all `producers` blocks of Produce, on another stream, and adds up what it finds.
struct Consume {
  static constexpr bool kIsCooperative = true;
  const std::uint64_t* values;
  std::size_t count;
  FlagWord done;
  std::uint32_t producers;
  std::uint64_t* sum;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    if (!at.is_first() || !at.wait_for(done, producers)) return;
    for (std::size_t i = 0; i < count; ++i) *sum += values[i];
  }
};

#if !defined(KAON_DEVICE_COMPILER)
/// Does not say that its blocks run at once; a vendor's compiler refuses it.
struct WaitAlone {
  static constexpr bool kNeedsThreads = true;
  FlagWord flag;
  template <class Context>
  void operator()(Context& at) const {
    (void)at.wait_for(flag, 1);
  }
};
#endif

}  // namespace kaon::gpu::test

KAON_KERNEL(kaon::gpu::test::Echo);
KAON_KERNEL(kaon::gpu::test::PassOn);
KAON_KERNEL(kaon::gpu::test::Produce);
KAON_KERNEL(kaon::gpu::test::Consume);
#if !defined(KAON_DEVICE_COMPILER)
KAON_KERNEL(kaon::gpu::test::WaitAlone);
#endif
