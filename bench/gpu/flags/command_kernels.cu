// SPDX-License-Identifier: Apache-2.0
#include "bench/gpu/flags/command_kernels.hpp"

namespace kaon::bench {
namespace {

constexpr std::uint32_t kMostLooks = 1u << 22;  // some seconds, then the kernel ends

__device__ uint4 load_whole(const uint4* from) {
  uint4 value;
  asm volatile(
      "{.reg .b64 a, b; .reg .b128 whole; ld.relaxed.sys.b128 whole, [%4]; mov.b128 {a, b}, whole;"
      " mov.b64 {%0, %1}, a; mov.b64 {%2, %3}, b;}"
      : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
      : "l"(from)
      : "memory");
  return value;
}
__device__ void store_whole(uint4* to, const uint4& value) {
  asm volatile(
      "{.reg .b64 a, b; .reg .b128 whole; mov.b64 a, {%1, %2}; mov.b64 b, {%3, %4}; mov.b128 whole, {a, b};"
      " st.relaxed.sys.b128 [%0], whole;}" ::"l"(to),
      "r"(value.x), "r"(value.y), "r"(value.z), "r"(value.w)
      : "memory");
}

__device__ uint4 acquire_whole(const uint4* from) {
  uint4 value;
  asm volatile(
      "{.reg .b64 a, b; .reg .b128 whole; ld.acquire.sys.b128 whole, [%4]; mov.b128 {a, b}, whole;"
      " mov.b64 {%0, %1}, a; mov.b64 {%2, %3}, b;}"
      : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
      : "l"(from)
      : "memory");
  return value;
}

template <bool kSystem>
__device__ void fence() {
  if constexpr (kSystem)
    asm volatile("fence.acq_rel.sys;" ::: "memory");
  else
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
}

// By a warp: four lanes look at a quarter each, whose last word tells the round. A fence of the system takes longer
// than looks that acquire.
template <bool kSystem>
__device__ bool wait_for(const uint4* slot, std::uint32_t round, uint4* shared) {
  const unsigned lane = threadIdx.x % 32;
  for (std::uint32_t looks = 0; looks < kMostLooks; ++looks) {
    uint4 quarter = make_uint4(0, 0, 0, round);
    if (lane < 4) quarter = kSystem ? acquire_whole(slot + lane) : load_whole(slot + lane);
    if (!__all_sync(~0u, quarter.w == round)) continue;
    if constexpr (!kSystem) fence<false>();
    if (lane < 4) shared[lane] = quarter;
    return true;
  }
  return false;
}

// What a program would do: one of some functions, which the compiler cannot leave out.
__device__ __noinline__ void entry(std::uint32_t which, std::uint32_t* sink) {
  switch (which) {
    case 1:
      sink[1] = which;
      break;
    case 2:
      sink[2] = which;
      break;
    case 3:
      sink[3] = which;
      break;
    default:
      break;
  }
}

__global__ void serve(const uint4* slot, std::uint32_t* reply, std::uint32_t* sink, std::uint32_t rounds) {
  __shared__ uint4 command[4];
  __shared__ bool is_here;
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    if (threadIdx.x < 32) is_here = wait_for<true>(slot, round, command);
    __syncthreads();
    if (!is_here) return;
    entry(command[0].x, sink);
    __syncthreads();
    if (threadIdx.x == 0) asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(reply), "r"(round) : "memory");
  }
}

template <bool kSystem>
__device__ void pass_on(bool is_first, uint4* own, uint4* others, std::uint32_t* sink, std::uint32_t rounds) {
  __shared__ uint4 command[4];
  __shared__ bool is_here;
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    if (is_first && round == 1 && threadIdx.x == 0)
      for (int i = 0; i < 4; ++i) store_whole(others + i, make_uint4(0, 0, 0, 1));
    if (threadIdx.x < 32) is_here = wait_for<kSystem>(own, round, command);
    __syncthreads();
    if (!is_here) return;
    entry(command[0].x, sink);
    __syncthreads();
    if (threadIdx.x != 0) continue;
    fence<kSystem>();
    const std::uint32_t next = is_first ? round + 1 : round;
    for (int i = 0; i < 4; ++i) store_whole(others + i, make_uint4(0, 0, 0, next));
  }
}

__global__ void pass(uint4* slots, std::uint32_t* sink, std::uint32_t rounds) {
  const bool is_first = blockIdx.x == 0;
  pass_on<false>(is_first, slots + (is_first ? 4 : 0), slots + (is_first ? 0 : 4), sink, rounds);
}

__global__ void pass_to_peer(bool is_first, uint4* own, uint4* others, std::uint32_t* sink, std::uint32_t rounds) {
  pass_on<true>(is_first, own, others, sink, rounds);
}

// Each warp has a partner in another block and two slots, so that what comes next does not lie on what is read.
__global__ void pass_by_warps(uint4* slots, std::uint32_t* sink, std::uint32_t rounds) {
  __shared__ uint4 commands[32][4];
  const unsigned warp = threadIdx.x / 32, self = warp * gridDim.x + blockIdx.x, other = self ^ 1;
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    if (threadIdx.x % 32 == 0) {
      fence<false>();
      uint4* const to = slots + 4 * (2 * other + round % 2);
      for (int i = 0; i < 4; ++i) store_whole(to + i, make_uint4(round % 4, 0, 0, round));
    }
    if (!wait_for<false>(slots + 4 * (2 * self + round % 2), round, commands[warp])) return;
    __syncwarp();
    entry(commands[warp][0].x, sink + 4 * self);
    __syncwarp();
  }
}

}  // namespace

void launch_serve(const void* slot, std::uint32_t* reply, std::uint32_t* sink, std::uint32_t rounds,
                  cudaStream_t stream) {
  serve<<<1, 128, 0, stream>>>(static_cast<const uint4*>(slot), reply, sink, rounds);
}

void launch_pass(void* slots, std::uint32_t* sink, std::uint32_t rounds, cudaStream_t stream) {
  pass<<<2, 128, 0, stream>>>(static_cast<uint4*>(slots), sink, rounds);
}

void launch_pass_to_peer(bool is_first, void* own, void* others, std::uint32_t* sink, std::uint32_t rounds,
                         cudaStream_t stream) {
  pass_to_peer<<<1, 128, 0, stream>>>(is_first, static_cast<uint4*>(own), static_cast<uint4*>(others), sink, rounds);
}

void launch_pass_by_warps(unsigned blocks, unsigned warps, void* slots, std::uint32_t* sink, std::uint32_t rounds,
                          cudaStream_t stream) {
  pass_by_warps<<<blocks, 32 * warps, 0, stream>>>(static_cast<uint4*>(slots), sink, rounds);
}

}  // namespace kaon::bench
