// SPDX-License-Identifier: Apache-2.0
#include "bench/floors/openmp_jacobi.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "examples/jacobi3d/memory.hpp"
#include "examples/jacobi3d/row.hpp"

namespace kaon::bench {
namespace {

using kaon::jacobi3d::Rows;

// x planes by y rows, whole rows along z; dealt to the threads in one fixed order.
struct Tiling {
  int x, y;
};

constexpr std::ptrdiff_t kLineDoubles = 8;               // 64 bytes
constexpr std::ptrdiff_t kHalfPage = 33 * kLineDoubles;  // and an odd line

// `shift` keeps two arrays from lying at one place in their pages: a store to one would seem to the
// processor to overlap loads from the other.
struct Array {
  Array(int points, std::ptrdiff_t offset)
      : cells(points),
        pitch((cells + 2 + 7) / kLineDoubles * kLineDoubles + kLineDoubles),
        shift(offset),
        memory(kaon::jacobi3d::allocate_doubles(size()), std::free) {}

  std::size_t size() const {
    return static_cast<std::size_t>((cells + 2) * std::ptrdiff_t{cells + 2} * pitch + kLineDoubles + shift);
  }
  // The row's points lie at 0..cells-1 and begin on a cache line, its ghosts at -1 and cells.
  double* row(int i, int j) const {
    return memory.get() + shift + kLineDoubles + ((i + 1) * std::ptrdiff_t{cells + 2} + (j + 1)) * pitch;
  }

  int cells;
  std::ptrdiff_t pitch;
  std::ptrdiff_t shift;
  std::unique_ptr<double[], void (*)(void*)> memory;
};

Rows rows_around(const Array& now, int i, int j) {
  const double* const center = now.row(i, j);
  return {center,     now.row(i - 1, j), now.row(i + 1, j), now.row(i, j - 1), now.row(i, j + 1),
          center[-1], center[now.cells]};
}

// The example's own row.
template <int W>
KAON_JACOBI_INLINE double relax_tile(const Array& now, const Array& next, int x, int y, Tiling tile) {
  const int n = now.cells;
  kaon::jacobi3d::Extremes<W> extremes;
  for (int i = x; i < std::min(x + tile.x, n); ++i)
    for (int j = y; j < std::min(y + tile.y, n); ++j)
      kaon::jacobi3d::relax_row<W>(next.row(i, j), rows_around(now, i, j), n, extremes);
  return extremes.change();
}

// The same arithmetic as one writes it, left to the compiler: with a ghost layer it vectorises well.
KAON_JACOBI_INLINE double relax_row_plainly(double* __restrict out, const Rows rows, int length, double change) {
#if !defined(__clang__)  // which finds no vectors for this maximum and would warn
#pragma omp simd reduction(max : change)
#endif
  for (int k = 0; k < length; ++k) {
    double value;
    kaon::jacobi3d::relax(value, rows.x_low[k], rows.x_high[k], rows.y_low[k], rows.y_high[k], rows.center[k - 1],
                          rows.center[k + 1]);
    const double moved = std::fabs(value - rows.center[k]);
    change = change < moved ? moved : change;
    out[k] = value;
  }
  return change;
}

KAON_JACOBI_INLINE double relax_tile_plainly(const Array& now, const Array& next, int x, int y, Tiling tile) {
  double change = 0;
  for (int i = x; i < std::min(x + tile.x, now.cells); ++i)
    for (int j = y; j < std::min(y + tile.y, now.cells); ++j)
      change = relax_row_plainly(next.row(i, j), rows_around(now, i, j), now.cells, change);
  return change;
}

using TileFunction = double (*)(const Array&, const Array&, int, int, Tiling);

double baseline(const Array& a, const Array& b, int x, int y, Tiling t) { return relax_tile<2>(a, b, x, y, t); }
double plain(const Array& a, const Array& b, int x, int y, Tiling t) { return relax_tile_plainly(a, b, x, y, t); }
#if defined(__x86_64__)
#define KAON_AVX2 [[gnu::target("avx2")]]
#define KAON_AVX512 [[gnu::target("avx512f,avx512vl,avx512dq")]]
KAON_AVX2 double avx2(const Array& a, const Array& b, int x, int y, Tiling t) { return relax_tile<4>(a, b, x, y, t); }
KAON_AVX2 double plain_avx2(const Array& a, const Array& b, int x, int y, Tiling t) {
  return relax_tile_plainly(a, b, x, y, t);
}
KAON_AVX512 double avx512(const Array& a, const Array& b, int x, int y, Tiling t) {
  return relax_tile<8>(a, b, x, y, t);
}
KAON_AVX512 double plain_avx512(const Array& a, const Array& b, int x, int y, Tiling t) {
  return relax_tile_plainly(a, b, x, y, t);
}
#endif

// Both ways to write a row, in the widest vectors of this processor.
std::array<TileFunction, 2> widest() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) return {avx512, plain_avx512};
  if (__builtin_cpu_supports("avx2")) return {avx2, plain_avx2};
#endif
  return {baseline, plain};
}

double step(const Array& now, const Array& next, Tiling tile, TileFunction relax) {
  const int n = now.cells;
  double change = 0;
#pragma omp parallel for collapse(2) schedule(static) reduction(max : change)
  for (int x = 0; x < n; x += tile.x)
    for (int y = 0; y < n; y += tile.y) change = std::max(change, relax(now, next, x, y, tile));
  return change;
}

// With the shares of the sweep itself. Ghosts are 1, points 0.
void fill(const Array& array, Tiling tile) {
  const int n = array.cells;
  const auto fill_row = [&](int i, int j) {
    const bool is_ghost = i < 0 || i == n || j < 0 || j == n;
    double* const row = array.row(i, j);
    std::fill_n(row, n, is_ghost ? 1.0 : 0.0);
    row[-1] = row[n] = 1.0;
  };
#pragma omp parallel for collapse(2) schedule(static)
  for (int x = 0; x < n; x += tile.x)
    for (int y = 0; y < n; y += tile.y)
      for (int i = x; i < std::min(x + tile.x, n); ++i)
        for (int j = y; j < std::min(y + tile.y, n); ++j) fill_row(i, j);
  for (int k = -1; k <= n; ++k) {
    fill_row(-1, k);
    fill_row(n, k);
    fill_row(k, -1);
    fill_row(k, n);
  }
}

JacobiTime measure(int cells, int iterations, Tiling tile, TileFunction relax) {
  Array now(cells, 0), next(cells, kHalfPage);
  fill(now, tile);
  fill(next, tile);
  double change = step(now, next, tile, relax);  // warm: threads exist, pages are there
  std::swap(now, next);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 1; i < iterations; ++i) {
    change = step(now, next, tile, relax);
    std::swap(now, next);
  }
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  return {tile.x, tile.y, spent.count() / std::max(1, iterations - 1), change};
}

// Slabs as a user would write them, slabs whose three planes fit into the second-level cache, and bricks.
std::vector<Tiling> tilings(int cells, int threads) {
  const int share = (cells + threads - 1) / threads;
  return {{share, cells}, {share, 32}, {share, 64}, {64, 64}};
}

}  // namespace

std::vector<JacobiTime> time_openmp_jacobi(int cells, int iterations, int threads) {
  omp_set_num_threads(threads);
  std::vector<JacobiTime> times;
  for (const TileFunction relax : widest())
    for (const Tiling tile : tilings(cells, threads)) times.push_back(measure(cells, iterations, tile, relax));
  return times;
}

JacobiTime best_openmp_jacobi(int cells, int iterations, int threads) {
  const std::vector<JacobiTime> times = time_openmp_jacobi(cells, iterations, threads);
  return *std::min_element(times.begin(), times.end(),
                           [](const auto& a, const auto& b) { return a.ms_per_iteration < b.ms_per_iteration; });
}

}  // namespace kaon::bench
