// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "kaon/gpu/kernels/kernel.hpp"

namespace kaon::gpu::test {

/// y = by * x + y: with a fused multiply-add its last digits differ.
struct Saxpy {
  static constexpr unsigned kMostThreads = 1024;
  double by;
  const double* x;
  double* y;
  std::size_t count;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const;
};

/// The maximum of `values` raises *most, one block after the other; values are not negative.
struct Largest {
  static constexpr unsigned kMostThreads = 1024;
  const double* values;
  std::size_t count;
  double* most;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const;
};

/// Every block writes where it is and how many threads it has: 4 numbers for each block, at its place in the grid.
struct Census {
  unsigned* blocks;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const;
};

/// One thread of each block raises *most to the number of its block; no reduction before.
struct RaiseToBlock {
  double* most;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const;
};

/// Every thread adds 1 and 0.5 as often as there are values for it.
struct CountUp {
  static constexpr unsigned kMostThreads = 1024;
  unsigned long long* whole;
  double* halves;
  std::size_t count;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const;
};

}  // namespace kaon::gpu::test
