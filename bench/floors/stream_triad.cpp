// SPDX-License-Identifier: Apache-2.0
#include "bench/floors/stream_triad.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <memory>
#include <stdexcept>

#include "examples/jacobi3d/host/memory.hpp"

namespace kaon::bench {
namespace {

using Array = std::unique_ptr<double[], void (*)(void*)>;

Array make(std::ptrdiff_t count, double value) {
  Array array(jacobi3d::allocate_doubles(static_cast<std::size_t>(count)), std::free);
  double* const data = array.get();
#pragma omp parallel for simd schedule(static)
  for (std::ptrdiff_t i = 0; i < count; ++i) data[i] = value;
  return array;
}

double triad_seconds(double* a, const double* b, const double* c, std::ptrdiff_t count) {
  const auto start = std::chrono::steady_clock::now();
#pragma omp parallel for simd schedule(static)
  for (std::ptrdiff_t i = 0; i < count; ++i) a[i] = b[i] + 3.0 * c[i];
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

double stream_triad_gb_per_s(int megabytes, int repetitions, int threads) {
  omp_set_num_threads(threads);
  const std::ptrdiff_t count = std::ptrdiff_t{megabytes} * 1'000'000 / static_cast<std::ptrdiff_t>(sizeof(double));
  const Array a = make(count, 0), b = make(count, 1), c = make(count, 2);
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repetitions; ++i) best = std::min(best, triad_seconds(a.get(), b.get(), c.get(), count));
  if (a[count / 2] != 7.0) throw std::runtime_error("the triad's sums are wrong: do not trust this machine's memory");
  return 24e-9 * static_cast<double>(count) / best;
}

}  // namespace kaon::bench
