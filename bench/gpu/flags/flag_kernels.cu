// SPDX-License-Identifier: Apache-2.0
#include "bench/gpu/flags/flag_kernels.hpp"

namespace kaon::bench {
namespace {

constexpr std::uint32_t kMostLooks = 1u << 22;  // some seconds, then the kernel ends

template <bool kSystem>
__device__ std::uint32_t load_acquire(const std::uint32_t* word) {
  std::uint32_t value;
  if constexpr (kSystem)
    asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  else
    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}

template <bool kSystem>
__device__ void store_release(std::uint32_t* word, std::uint32_t value) {
  if constexpr (kSystem)
    asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
  else
    asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}

template <bool kSystem>
__device__ bool wait_for(const std::uint32_t* word, std::uint32_t value) {
  std::uint32_t looks = 0;
  while (load_acquire<kSystem>(word) != value)
    if (++looks == kMostLooks) return false;
  return true;
}

__device__ bool wait_relaxed(const std::uint32_t* word, std::uint32_t value) {
  std::uint32_t looks = 0, seen = 0;
  do {
    asm volatile("ld.relaxed.sys.u32 %0, [%1];" : "=r"(seen) : "l"(word) : "memory");
  } while (seen != value && ++looks < kMostLooks);
  asm volatile("fence.acq_rel.sys;" ::: "memory");
  return seen == value;
}

template <bool kAcquires>
__global__ void answer(std::uint32_t* call, std::uint32_t* reply, std::uint32_t rounds) {
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    if (!(kAcquires ? wait_for<true>(call, round) : wait_relaxed(call, round))) return;
    store_release<true>(reply, round);
  }
}

template <bool kSystem>
__global__ void turns(std::uint32_t* even, std::uint32_t* odd, std::uint32_t rounds) {
  const bool is_first = blockIdx.x == 0;
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    if (is_first) store_release<kSystem>(even, round);
    if (!wait_for<kSystem>(is_first ? odd : even, round)) return;
    if (!is_first) store_release<kSystem>(odd, round);
  }
}

}  // namespace

void launch_answer(Looks looks, std::uint32_t* call, std::uint32_t* reply, std::uint32_t rounds, cudaStream_t stream) {
  if (looks == Looks::acquiring)
    answer<true><<<1, 1, 0, stream>>>(call, reply, rounds);
  else
    answer<false><<<1, 1, 0, stream>>>(call, reply, rounds);
}

void launch_turns(bool is_for_system, std::uint32_t* even, std::uint32_t* odd, std::uint32_t rounds,
                  cudaStream_t stream) {
  if (is_for_system)
    turns<true><<<2, 1, 0, stream>>>(even, odd, rounds);
  else
    turns<false><<<2, 1, 0, stream>>>(even, odd, rounds);
}

}  // namespace kaon::bench
