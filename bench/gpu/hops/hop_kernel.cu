// SPDX-License-Identifier: Apache-2.0
#include "bench/gpu/hops/hop_kernel.hpp"

namespace kaon::bench {
namespace {

constexpr unsigned kThreads = 256;

__device__ void add_one_to_all(std::uint64_t* to, const std::uint64_t* from, std::size_t count) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) to[i] = from[i] + 1;
}

__global__ void add_one(std::uint64_t* to, const std::uint64_t* from, std::size_t count) {
  add_one_to_all(to, from, count);
}

__global__ void add_one_and_show(std::uint64_t* to, const std::uint64_t* from, std::size_t count, std::uint32_t* word,
                                 std::uint32_t value) {
  add_one_to_all(to, from, count);
  __syncthreads();
  if (threadIdx.x == 0) *reinterpret_cast<volatile std::uint32_t*>(word) = value;
}

}  // namespace

void launch_add_one(std::uint64_t* to, const std::uint64_t* from, std::size_t count, cudaStream_t stream) {
  constexpr std::size_t kMostBlocks = 1024;
  const std::size_t blocks = (count + kThreads - 1) / kThreads;
  add_one<<<static_cast<unsigned>(blocks < kMostBlocks ? blocks : kMostBlocks), kThreads, 0, stream>>>(to, from, count);
}

void launch_and_show(std::uint64_t* to, const std::uint64_t* from, std::size_t count, std::uint32_t* word,
                     std::uint32_t value, cudaStream_t stream) {
  add_one_and_show<<<1, kThreads, 0, stream>>>(to, from, count, word, value);
}

}  // namespace kaon::bench
