// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernels of saxpy: their arguments, for every compiler. Their bodies are in saxpy.kernels.cpp.
#include <cstddef>

#include "kaon/gpu/kernels/kernel.hpp"

/// values[i] = value
struct Fill {
  float* values;
  std::size_t count;
  float value;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const;
};

/// y[i] += a * x[i]
struct Saxpy {
  float* y;
  const float* x;
  std::size_t count;
  float a;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const;
};
