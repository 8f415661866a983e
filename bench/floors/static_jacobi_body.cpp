// SPDX-License-Identifier: Apache-2.0
// Compiled once for each level of instructions (CMakeLists.txt), under a name of its own each time. No template and no
// inline function of the standard library may be used here that another file might take, compiled for a processor that
// has less.
#include <omp.h>
#include <stdlib.h>

#include "bench/floors/static_jacobi.hpp"

namespace kaon::bench {
namespace {

double* make_grid(long edge) {
  double* const grid = static_cast<double*>(aligned_alloc(64, static_cast<size_t>(edge * edge * edge + 8) / 8 * 64));
  if (grid == nullptr) abort();
#pragma omp parallel for schedule(static)
  for (long x = 0; x < edge; ++x)
    for (long y = 0; y < edge; ++y)
      for (long z = 0; z < edge; ++z) {
        const bool is_boundary = x == 0 || x == edge - 1 || y == 0 || y == edge - 1 || z == 0 || z == edge - 1;
        grid[(x * edge + y) * edge + z] = is_boundary ? 1.0 : 0.0;
      }
  return grid;
}

double step(const double* now, double* __restrict next, long edge) {
  const long row = edge, plane = edge * edge;
  double change = 0;
#pragma omp parallel for schedule(static) reduction(max : change)
  for (long x = 1; x < edge - 1; ++x)
    for (long y = 1; y < edge - 1; ++y) {
      const double* const at = now + x * plane + y * row;
      double* const to = next + x * plane + y * row;
      double most = change;
#if !defined(__clang__)  // which finds no vectors for this maximum and would warn
#pragma omp simd reduction(max : most)
#endif
      for (long z = 1; z < edge - 1; ++z) {
        const double value =
            (((((at[z - plane] + at[z + plane]) + at[z - row]) + at[z + row]) + at[z - 1]) + at[z + 1]) / 6.0;
        const double moved = __builtin_fabs(value - at[z]);
        most = most < moved ? moved : most;
        to[z] = value;
      }
      change = most;
    }
  return change;
}

}  // namespace

StaticJacobiTime KAON_STATIC_JACOBI(int cells, int iterations, int threads) {
  omp_set_num_threads(threads);
  const long edge = cells + 2L;
  double* now = make_grid(edge);
  double* next = make_grid(edge);
  double change = 0, start = 0;
  for (int i = 0; i < iterations; ++i) {
    if (i == 1) start = omp_get_wtime();  // the first is warm-up
    change = step(now, next, edge);
    double* const swapped = now;
    now = next;
    next = swapped;
  }
  const double seconds = omp_get_wtime() - start;
  free(now);
  free(next);
  return {seconds * 1e3 / (iterations > 1 ? iterations - 1 : 1), change};
}

}  // namespace kaon::bench
