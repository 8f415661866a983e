// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include <kaon/kernel.hpp>

#include "kaon/gpu/queues/put_window.hpp"

/// The sum of the vectors of all PEs, which go around a ring: in each round a kernel puts the vector that came last
/// into the memory of the right neighbour, and adds the one that comes from the left.
struct SumAround {
  static constexpr bool kIsCooperative = true, kNeedsThreads = true;
  kaon::gpu::PutWindow right;
  const float* vectors;          // of this PE, and behind it those that come: one for each round
  const std::uint32_t* notices;  // of the left neighbour: one for each round
  std::uint32_t count, rounds;
  float* sum;
  std::uint32_t* failures;

  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    const std::uint32_t bytes = count * sizeof(float);
    for (std::uint32_t i = at.thread().x; i < count; i += at.threads().x) sum[i] = vectors[i];
    for (std::uint32_t round = 1; round <= rounds; ++round) {
      if (at.is_first()) {
        const std::uint64_t to = std::uint64_t{round} * bytes;
        const auto notice = static_cast<std::uint16_t>(round);
        const auto status = right.put_notify(at, to, to - bytes, bytes, notice, 1);
        const bool has_come = right.wait(at, notices, notice, 1);
        if (status != kaon::gpu::RequestStatus::ok || !has_come) at.add_into(failures, 1U);
      }
      at.sync();
      const float* const come = vectors + std::uint64_t{round} * count;
      for (std::uint32_t i = at.thread().x; i < count; i += at.threads().x) sum[i] += come[i];
    }
    if (at.is_first() && right.quiet(at) != kaon::gpu::RequestStatus::ok) at.add_into(failures, 1U);
  }
};
KAON_KERNEL(SumAround);

/// values[i] = value
struct FillVector {
  float* values;
  float value;
  KAON_DEVICE void operator()(std::size_t i) const { values[i] = value; }
};
KAON_KERNEL(FillVector);
