// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include <kaon/kernel.hpp>

/// values[i] = value
struct Fill {
  float* values;
  float value;
  KAON_DEVICE void operator()(std::size_t i) const { values[i] = value; }
};
KAON_KERNEL(Fill);

/// y[i] += a * x[i]
struct Saxpy {
  float* y;
  const float* x;
  float a;
  KAON_DEVICE void operator()(std::size_t i) const { y[i] += a * x[i]; }
};
KAON_KERNEL(Saxpy);
