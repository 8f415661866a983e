// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/kernels/kernel.hpp"
#include "kaon/gpu/puts/put_ring.hpp"

namespace kaon::gpu {

/// Starts all puts of a list in the order of a stream, by one thread.
struct StartPutsKernel {
  static constexpr bool kIsCooperative = true;
  static constexpr unsigned kMostThreads = 32;
  PutRing ring;
  std::uint32_t value;

  template <class Context>
  KAON_DEVICE void operator()(Context& at) const;
};

}  // namespace kaon::gpu
