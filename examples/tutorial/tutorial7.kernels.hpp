// SPDX-License-Identifier: Apache-2.0
// Kernels of step 7 of docs/tutorial.md, compiled for every back end.
#pragma once
#include <cstddef>

#include <kaon/kernel.hpp>

/// values[i] = first + i
struct CountUp {
  double* values;
  double first;
  KAON_DEVICE void operator()(std::size_t i) const { values[i] = first + static_cast<double>(i); }
};
KAON_KERNEL(CountUp);

/// *sum += the sum of the products x[i] * y[i]
struct Dot {
  const double* x;
  const double* y;
  std::size_t count;
  double* sum;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    double mine = 0;
    for (std::size_t i = at.index(); i < count; i += at.stride()) mine += x[i] * y[i];
    mine = at.sum(mine);  // of the threads of a block
    if (at.is_first()) at.add_into(sum, mine);
  }
};
KAON_KERNEL(Dot);
