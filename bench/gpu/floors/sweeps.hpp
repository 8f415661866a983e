// SPDX-License-Identifier: Apache-2.0
// The sweep of the example, launched by CUDA itself: as the example does, and cut and compiled in other ways to choose
// from.
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "examples/jacobi3d/sweep.kernels.hpp"

namespace kaon::bench {

// The choice of the example.
void launch_sweep(const jacobi3d::SweepKernel& kernel, const gpu::Grid& grid, cudaStream_t stream);

struct SweepVariant {
  int rows;             // of a thread along y
  int blocks_at_once;   // of 256 threads that the compiler leaves registers for on each multiprocessor
  int threads_along_z;  // of 256; the others along y
  int planes;           // along x that a block of threads marches

  std::string name() const;
};

std::vector<SweepVariant> sweep_variants(const jacobi3d::Triple& shape);
void launch_sweep(const SweepVariant& variant, const jacobi3d::SweepKernel& kernel, cudaStream_t stream);

}  // namespace kaon::bench
