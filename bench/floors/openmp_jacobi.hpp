// SPDX-License-Identifier: Apache-2.0
// The floor of jacobi3d: the same sweep over two plain arrays with a ghost layer, by OpenMP threads
// that first touched what they compute. No messages, no copies, the largest change found in each step.
#pragma once

#include <vector>

namespace kaon::bench {

struct JacobiTime {
  int tile_x, tile_y;  // x planes by y rows of a tile; the tiles are dealt to the threads once
  double ms_per_iteration;
  double change;  // of the last iteration, to compare with
};

// One time for each way to write the row (the example's own, then a plain loop for the compiler) and
// each static blocking, after one iteration that is not counted.
std::vector<JacobiTime> time_openmp_jacobi(int cells, int iterations, int threads);

JacobiTime best_openmp_jacobi(int cells, int iterations, int threads);

}  // namespace kaon::bench
