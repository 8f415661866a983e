// SPDX-License-Identifier: Apache-2.0
// Jacobi as one writes it with OpenMP and no thought of this project: its own arrays, one loop nest, a static schedule.
// It shares nothing with the other floors, so that a mistake in theirs would show.
#pragma once

#include <vector>

namespace kaon::bench {

struct StaticJacobiTime {
  double ms_per_iteration;
  double change;  ///< of the last iteration
};

struct StaticJacobi {
  const char* instructions;  ///< that it was compiled for
  StaticJacobiTime (*run)(int cells, int iterations, int threads);
};

/// Compiled for each level of instructions that this processor has, as a user's -march=native would.
std::vector<StaticJacobi> runnable_static_jacobis();

}  // namespace kaon::bench
