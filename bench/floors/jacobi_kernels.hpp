// SPDX-License-Identifier: Apache-2.0
// The ways to sweep a tile of the OpenMP floor, for each width of vector that this processor has.
#pragma once

#include <vector>

#include "bench/floors/jacobi_grid.hpp"

namespace kaon::bench {

/// Computes the tile of `next` that begins at plane x and row y; returns the largest |next - now| in it.
using TileFunction = double (*)(const JacobiGrid& now, const JacobiGrid& next, int x, int y, Tiling tile);

struct JacobiKernel {
  const char* name;  ///< without blanks, as "streamed-rows"
  const char* instructions;
  TileFunction relax;
};

/// All give the same digits. Widths that are never the fastest where wider ones exist are left out.
std::vector<JacobiKernel> runnable_jacobi_kernels();

}  // namespace kaon::bench
