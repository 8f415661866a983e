// SPDX-License-Identifier: Apache-2.0
#pragma once
// Graphs that kernels launch, which HIP does not have: the names of cuda_graphs.hpp, all of which fail. Included by
// api.hpp alone.
namespace kaon::gpu::vendor {

inline constexpr bool kKernelsLaunchGraphs = false;
using Graph = hipGraphExec_t;

struct CopyNode {
  void* to;
  const void* from;
  std::size_t bytes;
};

inline Status make_kernel_graph(Graph*, const void*, unsigned, void**, Stream, const CopyNode* = nullptr) {
  return hipErrorNotSupported;
}
inline Status launch_graph(Graph, Stream) { return hipErrorNotSupported; }
inline Status destroy_graph(Graph) { return hipErrorNotSupported; }

#if defined(KAON_DEVICE_COMPILER)
__device__ inline bool start_graph(void*) { return false; }
__device__ inline bool launch_again() { return false; }
#endif

}  // namespace kaon::gpu::vendor
