// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "kaon/gpu/kernels/kernel.hpp"

namespace kaon::testing {

/// values[i] = seed + i.
struct WritePattern {
  int* values;
  std::size_t count;
  int seed;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const;
};

/// Raises *wrong above 0 when a value is not seed + i.
struct CheckPattern {
  const int* values;
  std::size_t count;
  int seed;
  double* wrong;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const;
};

/// Takes its time: so many multiplications one after the other, by each thread.
struct Dawdle {
  double* cell;
  long rounds;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const;
};

/// Never ends.
struct Spin {
  const unsigned* never;  // 0 for ever
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const;
};

}  // namespace kaon::testing
