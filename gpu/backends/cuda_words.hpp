// SPDX-License-Identifier: Apache-2.0
#pragma once
// Words and pieces of 16 bytes that threads of a device hand to each other, to other devices and to the host: CUDA's
// half of gpu/kernels/vendor_words.hpp, in PTX. Included by api.hpp alone.
#if defined(KAON_DEVICE_COMPILER)
namespace kaon::gpu::vendor {

inline constexpr unsigned kWarpLanes = 32;

__device__ inline unsigned load_relaxed(const unsigned* word) {
  unsigned value;
  asm volatile("ld.relaxed.sys.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}
__device__ inline unsigned long long load_relaxed(const unsigned long long* word) {
  unsigned long long value;
  asm volatile("ld.relaxed.sys.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
}
__device__ inline void store_relaxed(unsigned* word, unsigned value) {
  asm volatile("st.relaxed.sys.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}
__device__ inline unsigned long long load_acquire_on_device(const unsigned long long* word) {
  unsigned long long value;
  asm volatile("ld.acquire.gpu.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
}
__device__ inline unsigned load_acquire_on_device(const unsigned* word) {
  unsigned value;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}
__device__ inline void store_release_on_device(unsigned* word, unsigned value) {
  asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}
__device__ inline void store_release(unsigned long long* word, unsigned long long value) {
  asm volatile("st.release.sys.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}
// Said to be in global memory: else the compiler also writes down what to do in shared memory, and waits for the
// result.
/// Adds to a word and returns its value before.
__device__ inline unsigned add_relaxed_on_device(unsigned* word, unsigned by) {
  unsigned before;
  asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], %2;"
               : "=r"(before)
               : "l"(__cvta_generic_to_global(word)), "r"(by)
               : "memory");
  return before;
}
/// Nobody waits for it.
__device__ inline void count_relaxed_on_device(unsigned long long* word, unsigned long long by) {
  asm volatile("red.relaxed.gpu.global.add.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(word)), "l"(by) : "memory");
}
__device__ inline void count_release_on_device(unsigned long long* word, unsigned long long by) {
  asm volatile("red.release.gpu.global.add.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(word)), "l"(by) : "memory");
}
__device__ inline void add_release_on_device(unsigned* word, unsigned by) {
  asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(word)), "r"(by) : "memory");
}
/// Adds to a word that a block shares, and returns its value before.
__device__ inline unsigned add_in_block(unsigned* word, unsigned by) { return atomicAdd_block(word, by); }
__device__ inline void fence_on_device() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }
__device__ inline void fence_in_system() { asm volatile("fence.acq_rel.sys;" ::: "memory"); }

// These return the value before. Acquire and release: the fences order what the atomic access itself does not.
template <class Access>
__device__ auto fenced_on_device(Access access) {
  fence_on_device();
  const auto before = access();
  fence_on_device();
  return before;
}
template <class Access>
__device__ auto fenced_in_system(Access access) {
  fence_in_system();
  const auto before = access();
  fence_in_system();
  return before;
}
template <class Word>
__device__ Word fetch_add_on_device(Word* word, Word by) {
  return fenced_on_device([=] { return atomicAdd(word, by); });
}
template <class Word>
__device__ Word fetch_add_in_system(Word* word, Word by) {
  return fenced_in_system([=] { return atomicAdd_system(word, by); });
}
template <class Word>
__device__ Word fetch_or_on_device(Word* word, Word bits) {
  return fenced_on_device([=] { return atomicOr(word, bits); });
}
template <class Word>
__device__ Word fetch_or_in_system(Word* word, Word bits) {
  return fenced_in_system([=] { return atomicOr_system(word, bits); });
}

__device__ inline void assume_global(const void* pointer) { __builtin_assume(__isGlobal(pointer)); }

/// 16 bytes, aligned, that are seen whole or not at all. Relaxed.
__device__ inline void store_whole(unsigned* to, const unsigned (&values)[4]) {
  asm volatile(
      "{.reg .b64 a, b; .reg .b128 whole; mov.b64 a, {%1, %2}; mov.b64 b, {%3, %4}; mov.b128 whole, {a, b};"
      " st.relaxed.sys.b128 [%0], whole;}" ::"l"(to),
      "r"(values[0]), "r"(values[1]), "r"(values[2]), "r"(values[3])
      : "memory");
}
/// Whole only where all four values are used, or one: ptxas 13.0 makes two loads of it when one value is not, and the
/// second may see a later store than the first.
__device__ inline void load_whole(const unsigned* from, unsigned (&values)[4]) {
  asm volatile(
      "{.reg .b64 a, b; .reg .b128 whole; ld.relaxed.sys.b128 whole, [%4]; mov.b128 {a, b}, whole;"
      " mov.b64 {%0, %1}, a; mov.b64 {%2, %3}, b;}"
      : "=r"(values[0]), "=r"(values[1]), "=r"(values[2]), "=r"(values[3])
      : "l"(from)
      : "memory");
}
/// The same, acquiring, for the whole system. As fast, where a fence behind a relaxed one takes 0.6 us; but what the
/// thread reads next waits for it, and the cache of the multiprocessor is emptied.
__device__ inline void acquire_whole(const unsigned* from, unsigned (&values)[4]) {
  asm volatile(
      "{.reg .b64 a, b; .reg .b128 whole; ld.acquire.sys.b128 whole, [%4]; mov.b128 {a, b}, whole;"
      " mov.b64 {%0, %1}, a; mov.b64 {%2, %3}, b;}"
      : "=r"(values[0]), "=r"(values[1]), "=r"(values[2]), "=r"(values[3])
      : "l"(from)
      : "memory");
}

/// True if `value` is true in all threads of a warp. All of them call it.
__device__ inline bool is_true_for_warp(bool value) { return __all_sync(~0u, value) != 0; }
/// Returns a bit for each thread of a warp, set where `value` is true. All of them call it.
__device__ inline unsigned long long which_of_warp(bool value) { return __ballot_sync(~0u, value); }
__device__ inline void sync_warp() { __syncwarp(); }
/// Returns the value of the warp's first thread to all of its threads.
__device__ inline unsigned of_first_in_warp(unsigned value) { return __shfl_sync(~0u, value, 0); }

}  // namespace kaon::gpu::vendor
#endif
