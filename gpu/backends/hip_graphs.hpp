// SPDX-License-Identifier: Apache-2.0
#pragma once
// Graphs that kernels launch, which HIP does not have. Included by api.hpp alone.
namespace kaon::gpu::vendor {

inline constexpr bool kKernelsLaunchGraphs = false;
using Graph = hipGraphExec_t;

struct CopyNode {
  void* to;
  const void* from;
  std::size_t bytes;
};

inline Status make_copy_graph(Graph*, const CopyNode*, unsigned, Stream) { return hipErrorNotSupported; }
inline Status destroy_graph(Graph) { return hipErrorNotSupported; }

}  // namespace kaon::gpu::vendor
