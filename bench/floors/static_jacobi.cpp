// SPDX-License-Identifier: Apache-2.0
#include "bench/floors/static_jacobi.hpp"

namespace kaon::bench {

// The functions of static_jacobi_body.cpp, which is compiled once for each.
StaticJacobiTime run_static_jacobi_baseline(int cells, int iterations, int threads);
#if defined(__x86_64__)
StaticJacobiTime run_static_jacobi_avx2(int cells, int iterations, int threads);
StaticJacobiTime run_static_jacobi_avx512(int cells, int iterations, int threads);
#endif

std::vector<StaticJacobi> runnable_static_jacobis() {
  std::vector<StaticJacobi> found;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    found.push_back({"avx512", run_static_jacobi_avx512});
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    found.push_back({"avx2", run_static_jacobi_avx2});
#endif
  if (found.empty()) found.push_back({"baseline", run_static_jacobi_baseline});
  return found;
}

}  // namespace kaon::bench
