// SPDX-License-Identifier: Apache-2.0
#include "stencil.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "row.hpp"

namespace jacobi3d {
namespace {

constexpr std::size_t kXLow = number(Face::x_low), kXHigh = number(Face::x_high);
constexpr std::size_t kYLow = number(Face::y_low), kYHigh = number(Face::y_high);
constexpr std::size_t kZLow = number(Face::z_low), kZHigh = number(Face::z_high);

// One row of the block, where it lies and what surrounds it.
struct Place {
  int i, j;
  std::ptrdiff_t nx, ny, nz;

  std::ptrdiff_t row() const { return (i * ny + j) * nz; }  // in the block
  std::ptrdiff_t x_row() const { return j * nz; }           // in a plane at an x face
  std::ptrdiff_t y_row() const { return i * nz; }           // in a plane at a y face
  std::ptrdiff_t z_point() const { return i * ny + j; }     // in a plane at a z face
};

KAON_JACOBI_INLINE Rows rows_around(const Sweep& block, const Place& at) {
  const double* const center = block.now + at.row();
  return {center,
          at.i > 0 ? center - at.ny * at.nz : block.in[kXLow] + at.x_row(),
          at.i + 1 < at.nx ? center + at.ny * at.nz : block.in[kXHigh] + at.x_row(),
          at.j > 0 ? center - at.nz : block.in[kYLow] + at.y_row(),
          at.j + 1 < at.ny ? center + at.nz : block.in[kYHigh] + at.y_row(),
          block.in[kZLow][at.z_point()],
          block.in[kZHigh][at.z_point()]};
}

// While the new row is in the first-level cache.
KAON_JACOBI_INLINE void copy_out(const Sweep& block, const Place& at, const double* row) {
  const auto copy_row = [&](std::size_t face, std::ptrdiff_t where) {
    if (double* const plane = block.out[face])
      std::memcpy(plane + where, row, static_cast<std::size_t>(at.nz) * sizeof(double));
  };
  if (at.i == 0) copy_row(kXLow, at.x_row());
  if (at.i + 1 == at.nx) copy_row(kXHigh, at.x_row());
  if (at.j == 0) copy_row(kYLow, at.y_row());
  if (at.j + 1 == at.ny) copy_row(kYHigh, at.y_row());
  if (double* const plane = block.out[kZLow]) plane[at.z_point()] = row[0];
  if (double* const plane = block.out[kZHigh]) plane[at.z_point()] = row[at.nz - 1];
}

// A plane at a y or z face is used in pieces too short for the processor to see them coming: asks for
// the pieces that the next x plane needs while this one is computed.
KAON_JACOBI_INLINE void fetch_ahead(const Sweep& block, const Place& at) {
  constexpr std::ptrdiff_t kLineDoubles = 8;
  if (at.i + 1 == at.nx) return;
  for (std::ptrdiff_t k = 0; k < at.nz; k += kLineDoubles) {
    __builtin_prefetch(block.in[kYLow] + (at.i + 1) * at.nz + k);
    __builtin_prefetch(block.in[kYHigh] + (at.i + 1) * at.nz + k);
  }
  for (std::ptrdiff_t j = 0; j < at.ny; j += kLineDoubles) {
    __builtin_prefetch(block.in[kZLow] + (at.i + 1) * at.ny + j);
    __builtin_prefetch(block.in[kZHigh] + (at.i + 1) * at.ny + j);
  }
}

// Past the caches, which else read each line before it is written. `from` lies in the first-level cache.
KAON_JACOBI_INLINE void stream(double* to, const double* from, std::ptrdiff_t count) {
  std::ptrdiff_t k = 0;
#if defined(__SSE2__)
  for (; k < count && reinterpret_cast<std::uintptr_t>(to + k) % 16 != 0; ++k) to[k] = from[k];
  for (; k + 2 <= count; k += 2) _mm_stream_pd(to + k, _mm_loadu_pd(from + k));
#endif
  for (; k < count; ++k) to[k] = from[k];
}

// Other threads may read what was streamed once this one has told them of it by an ordinary store.
KAON_JACOBI_INLINE void end_streaming() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

// Of all that a row needs, only the one beyond it along x comes from memory. The processor does not see it coming in
// time: asks for the one after the next.
KAON_JACOBI_INLINE void fetch_beyond(const Rows& rows, std::ptrdiff_t length) {
  constexpr std::ptrdiff_t kLineDoubles = 8;
  for (std::ptrdiff_t k = 0; k < length; k += kLineDoubles) __builtin_prefetch(rows.x_high + 2 * length + k);
}

constexpr int kLongestStreamed = 4096;  // points of a row, on the stack

template <int W>
KAON_JACOBI_INLINE double sweep_cached(const Sweep& block, int first_x, int last_x) {
  Extremes<W> extremes;
  Place at{0, 0, block.shape[0], block.shape[1], block.shape[2]};
  for (at.i = first_x; at.i < last_x; ++at.i) {
    at.j = 0;
    fetch_ahead(block, at);
    for (at.j = 0; at.j < at.ny; ++at.j) {
      double* const row = block.next + at.row();
      relax_row<W>(row, rows_around(block, at), block.shape[2], extremes);
      copy_out(block, at, row);
    }
  }
  return extremes.change();
}

template <int W>
KAON_JACOBI_INLINE double sweep_streamed(const Sweep& block, int first_x, int last_x) {
  if (block.shape[2] > kLongestStreamed) return sweep_cached<W>(block, first_x, last_x);
  alignas(64) double row[kLongestStreamed];
  Extremes<W> extremes;
  Place at{0, 0, block.shape[0], block.shape[1], block.shape[2]};
  for (at.i = first_x; at.i < last_x; ++at.i) {
    at.j = 0;
    fetch_ahead(block, at);
    for (at.j = 0; at.j < at.ny; ++at.j) {
      const Rows rows = rows_around(block, at);
      fetch_beyond(rows, at.nz);
      relax_row<W>(row, rows, block.shape[2], extremes);
      copy_out(block, at, row);
      stream(block.next + at.row(), row, at.nz);
    }
  }
  end_streaming();
  return extremes.change();
}

template <int W>
KAON_JACOBI_INLINE double sweep_range(const Sweep& block, int first_x, int last_x) {
  return block.writing == Writing::streamed ? sweep_streamed<W>(block, first_x, last_x)
                                            : sweep_cached<W>(block, first_x, last_x);
}

// One copy of the loops for each width of vector, chosen when the program runs: plain IEEE
// operations give the same digits in each. Function pointers and not target_clones, whose resolvers
// run before the sanitizers are ready.
double sweep_baseline(const Sweep& block, int first_x, int last_x) { return sweep_range<2>(block, first_x, last_x); }

#if defined(__x86_64__)
[[gnu::target("avx2")]] double sweep_avx2(const Sweep& block, int first_x, int last_x) {
  return sweep_range<4>(block, first_x, last_x);
}
[[gnu::target("avx512f,avx512vl,avx512dq")]] double sweep_avx512(const Sweep& block, int first_x, int last_x) {
  return sweep_range<8>(block, first_x, last_x);
}
#endif

}  // namespace

std::vector<SweepVersion> runnable_sweeps() {
  std::vector<SweepVersion> sweeps;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    sweeps.push_back({"avx512", sweep_avx512});
  if (__builtin_cpu_supports("avx2")) sweeps.push_back({"avx2", sweep_avx2});
#endif
  sweeps.push_back({"baseline", sweep_baseline});
  return sweeps;
}

double sweep(const Sweep& block, int first_x, int last_x) {
  static const SweepFunction fastest = runnable_sweeps().front().sweep;
  return fastest(block, first_x, last_x);
}

double sweep(const Sweep& block) { return sweep(block, 0, block.shape[0]); }

double sweep(const Sweep& block, WritingTrial& trial) {
  using Clock = std::chrono::steady_clock;
  Sweep chosen = block;
  chosen.writing = trial.next();
  if (trial.is_over()) return sweep(chosen);
  const auto start = Clock::now();
  const double change = sweep(chosen);
  trial.took(std::chrono::duration<double>(Clock::now() - start).count());
  return change;
}

// Each way twice in a row and that twice: what the sweep before left in the caches would mislead.
Writing WritingTrial::next() const {
  if (is_over()) return best_[0] <= best_[1] ? Writing::cached : Writing::streamed;
  return sweeps_ / 2 % 2 == 0 ? Writing::cached : Writing::streamed;
}

void WritingTrial::took(double seconds) {
  double& best = best_[sweeps_ / 2 % 2];
  if (sweeps_ % 2 == 1) best = std::min(best, seconds);
  ++sweeps_;
}

}  // namespace jacobi3d
