// SPDX-License-Identifier: Apache-2.0
#pragma once
// Graphs that kernels launch: CUDA's half. Included by api.hpp alone.
namespace kaon::gpu::vendor {

/// True if kernels can launch graphs of copies.
inline constexpr bool kKernelsLaunchGraphs = true;
using Graph = cudaGraphExec_t;

/// One copy of a graph.
struct CopyNode {
  void* to;
  const void* from;
  std::size_t bytes;
};

/// Makes what a kernel or the host launches; the device has it behind what the stream is given by now.
inline Status instantiate(Graph* made, cudaGraph_t graph, Stream stream) {
  const Status status = cudaGraphInstantiate(made, graph, cudaGraphInstantiateFlagDeviceLaunch);
  return status != kSuccess ? status : cudaGraphUpload(*made, stream);
}
/// A kernel of one block, on the current device; behind a copy, if there is one.
inline Status make_kernel_graph(Graph* made, const void* function, unsigned threads, void** arguments, Stream stream,
                                const CopyNode* copy = nullptr) {
  cudaGraph_t graph{};
  Status status = cudaGraphCreate(&graph, 0);
  if (status != kSuccess) return status;
  cudaGraphNode_t before{};
  if (copy != nullptr)
    status = cudaGraphAddMemcpyNode1D(&before, graph, nullptr, 0, copy->to, copy->from, copy->bytes, cudaMemcpyDefault);
  cudaKernelNodeParams kernel{};
  kernel.func = const_cast<void*>(function);
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(threads);
  kernel.kernelParams = arguments;
  cudaGraphNode_t node{};
  if (status == kSuccess)
    status =
        cudaGraphAddKernelNode(&node, graph, copy != nullptr ? &before : nullptr, copy != nullptr ? 1 : 0, &kernel);
  if (status == kSuccess) status = instantiate(made, graph, stream);
  static_cast<void>(cudaGraphDestroy(graph));
  return status;
}
inline Status launch_graph(Graph graph, Stream stream) { return cudaGraphLaunch(graph, stream); }
inline Status destroy_graph(Graph graph) { return cudaGraphExecDestroy(graph); }

// For sources whose device code is linked (STARTS_COPIES of kaon_kernels).
#if defined(__CUDACC_RDC__)
/// At most 120 times in one launch of the graph whose kernel calls it. False: not now.
__device__ inline bool start_graph(void* graph) {
  return cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph), cudaStreamGraphFireAndForget) == cudaSuccess;
}
/// Launches the own graph once more, when it and all that it has started have ended.
__device__ inline bool launch_again() {
  return cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch) == cudaSuccess;
}
#endif

}  // namespace kaon::gpu::vendor
