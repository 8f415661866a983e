// SPDX-License-Identifier: Apache-2.0
// The sweep of the example and others, cut and compiled in many ways to choose from.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <string>
#include <vector>

#include "examples/jacobi3d/device/sweep.kernels.hpp"

namespace kaon::bench {

struct SweepVariant {
  std::string kernel, grid;
  std::function<void(const jacobi3d::SweepKernel&, cudaStream_t)> launch;
};

// Those that can sweep a block of this shape without planes at its faces.
std::vector<SweepVariant> sweep_variants(const jacobi3d::Triple& shape);

}  // namespace kaon::bench
