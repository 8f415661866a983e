// SPDX-License-Identifier: Apache-2.0
#include "bench/floors/jacobi_kernels.hpp"

#include <cmath>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "examples/jacobi3d/host/row.hpp"

// Everything below is inlined into one function for each width of vector, at the end of the file. A call out of such a
// function within the loops would run code compiled for narrow vectors while the upper halves of wide ones are in use,
// which some processors punish at every instruction.
namespace kaon::bench {
namespace {

using jacobi3d::Rows;

constexpr int kLineDoubles = 8;  // 64 bytes

KAON_JACOBI_INLINE int least_of(int a, int b) { return a < b ? a : b; }

KAON_JACOBI_INLINE Rows rows_around(const JacobiGrid& now, int i, int j) {
  const double* const center = now.row(i, j);
  return {center,     now.row(i - 1, j), now.row(i + 1, j), now.row(i, j - 1), now.row(i, j + 1),
          center[-1], center[now.cells]};
}

// --- the example's own row
template <int W>
KAON_JACOBI_INLINE double relax_tile(const JacobiGrid& now, const JacobiGrid& next, int x, int y, Tiling tile) {
  const int n = now.cells, last_x = least_of(x + tile.x, n), last_y = least_of(y + tile.y, n);
  jacobi3d::Extremes<W> extremes;
  for (int i = x; i < last_x; ++i)
    for (int j = y; j < last_y; ++j) jacobi3d::relax_row<W>(next.row(i, j), rows_around(now, i, j), n, extremes);
  return extremes.change();
}

// --- the same arithmetic as one writes it, left to the compiler: with a ghost layer it vectorises well

KAON_JACOBI_INLINE double relax_points(double* __restrict out, const Rows& rows, int first, int last, double change) {
#if !defined(__clang__)  // which finds no vectors for this maximum and would warn
#pragma omp simd reduction(max : change)
#endif
  for (int k = first; k < last; ++k) {
    double value;
    jacobi3d::relax(value, rows.x_low[k], rows.x_high[k], rows.y_low[k], rows.y_high[k], rows.center[k - 1],
                    rows.center[k + 1]);
    const double moved = std::fabs(value - rows.center[k]);
    change = change < moved ? moved : change;
    out[k] = value;
  }
  return change;
}

struct Stored {
  static constexpr const char* kName = "loop";
  KAON_JACOBI_INLINE static void end() {}
  KAON_JACOBI_INLINE static double relax_row(double* out, const Rows& rows, int length, std::ptrdiff_t, double change) {
    return relax_points(out, rows, 0, length, change);
  }
};

// Past the caches, which else read each line that is written. `to` is on a cache line.
KAON_JACOBI_INLINE void stream(double* to, const double* from, int count) {
  int k = 0;
#if defined(__SSE2__)
  for (; k + 2 <= count; k += 2) _mm_stream_pd(to + k, _mm_loadu_pd(from + k));
#endif
  for (; k < count; ++k) to[k] = from[k];
}

// The barrier that follows orders ordinary stores.
KAON_JACOBI_INLINE void end_streaming() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

// Piece by piece through the first-level cache. Of all rows that a row needs, only x_high's comes from memory: the one
// after the next is asked for meanwhile.
struct Streamed {
  static constexpr const char* kName = "streamed-loop";
  KAON_JACOBI_INLINE static void end() { end_streaming(); }
  KAON_JACOBI_INLINE static double relax_row(double* out, const Rows& rows, int length, std::ptrdiff_t pitch,
                                             double change) {
    constexpr int kPiece = 64;
    alignas(64) double piece[kPiece];
    for (int first = 0; first < length; first += kPiece) {
      const int last = least_of(first + kPiece, length);
      for (int k = first; k < last; k += kLineDoubles) __builtin_prefetch(rows.x_high + 2 * pitch + k);
      change = relax_points(piece - first, rows, first, last, change);
      stream(out + first, piece, last - first);
    }
    return change;
  }
};

template <class Written>
KAON_JACOBI_INLINE double relax_loop(const JacobiGrid& now, const JacobiGrid& next, int x, int y, Tiling tile) {
  const int n = now.cells, last_x = least_of(x + tile.x, n), last_y = least_of(y + tile.y, n);
  double change = 0;
  for (int i = x; i < last_x; ++i)
    for (int j = y; j < last_y; ++j)
      change = Written::relax_row(next.row(i, j), rows_around(now, i, j), n, now.pitch, change);
  Written::end();
  return change;
}

// --- each way to sweep, and its function for each width of vector
template <int W>
struct ExampleRows {
  static constexpr const char* kName = "example-rows";
  KAON_JACOBI_INLINE static double relax(const JacobiGrid& now, const JacobiGrid& next, int x, int y, Tiling tile) {
    return relax_tile<W>(now, next, x, y, tile);
  }
};

template <class Written>
struct Loop {
  static constexpr const char* kName = Written::kName;
  KAON_JACOBI_INLINE static double relax(const JacobiGrid& now, const JacobiGrid& next, int x, int y, Tiling tile) {
    return relax_loop<Written>(now, next, x, y, tile);
  }
};

template <class Way>
struct Baseline {
  static double relax(const JacobiGrid& now, const JacobiGrid& next, int x, int y, Tiling tile) {
    return Way::relax(now, next, x, y, tile);
  }
};

#if defined(__x86_64__)
template <class Way>
struct Avx2 {
  [[gnu::target("avx2")]] static double relax(const JacobiGrid& now, const JacobiGrid& next, int x, int y,
                                              Tiling tile) {
    return Way::relax(now, next, x, y, tile);
  }
};

// g++ takes narrower vectors unless it is told; clang knows no such word in an attribute.
#if defined(__clang__)
#define KAON_AVX512 "avx512f,avx512vl,avx512dq"
#else
#define KAON_AVX512 "avx512f,avx512vl,avx512dq,prefer-vector-width=512"
#endif

template <class Way>
struct Avx512 {
  [[gnu::target(KAON_AVX512)]] static double relax(const JacobiGrid& now, const JacobiGrid& next, int x, int y,
                                                   Tiling tile) {
    return Way::relax(now, next, x, y, tile);
  }
};
#endif

template <template <class> class Instructions, class... Way>
void append(std::vector<JacobiKernel>& kernels, const char* instructions) {
  (kernels.push_back({Way::kName, instructions, Instructions<Way>::relax}), ...);
}

template <template <class> class Instructions, int W>
void append_all(std::vector<JacobiKernel>& kernels, const char* instructions) {
  append<Instructions, ExampleRows<W>, Loop<Stored>, Loop<Streamed>>(kernels, instructions);
}

}  // namespace

std::vector<JacobiKernel> runnable_jacobi_kernels() {
  std::vector<JacobiKernel> kernels;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    append_all<Avx512, 8>(kernels, "avx512");
  if (__builtin_cpu_supports("avx2")) append_all<Avx2, 4>(kernels, "avx2");
#endif
  if (kernels.empty()) append_all<Baseline, 2>(kernels, "baseline");
  return kernels;
}

}  // namespace kaon::bench
