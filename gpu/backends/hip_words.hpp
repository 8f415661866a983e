// SPDX-License-Identifier: Apache-2.0
#pragma once
// Words and pieces of 16 bytes that threads of a device hand to each other, to other devices and to the host: HIP's
// half of gpu/kernels/vendor_words.hpp. Included by api.hpp alone.
#if defined(KAON_DEVICE_COMPILER)
namespace kaon::gpu::vendor {

inline constexpr unsigned kWarpLanes = 64;  // of the devices that are compiled for

template <class Word>
__device__ inline Word load_relaxed(const Word* word) {
  return __hip_atomic_load(const_cast<Word*>(word), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}
__device__ inline void store_relaxed(unsigned* word, unsigned value) {
  __hip_atomic_store(word, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}
template <class Word>
__device__ inline Word load_acquire_on_device(const Word* word) {
  return __hip_atomic_load(const_cast<Word*>(word), __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
}
__device__ inline void store_release_on_device(unsigned* word, unsigned value) {
  __hip_atomic_store(word, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}
__device__ inline void store_release(unsigned long long* word, unsigned long long value) {
  __hip_atomic_store(word, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
}
/// Adds to a word and returns its value before.
__device__ inline unsigned add_relaxed_on_device(unsigned* word, unsigned by) {
  return __hip_atomic_fetch_add(word, by, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
/// Nobody waits for it.
__device__ inline void count_relaxed_on_device(unsigned long long* word, unsigned long long by) {
  __hip_atomic_fetch_add(word, by, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
__device__ inline void count_release_on_device(unsigned long long* word, unsigned long long by) {
  __hip_atomic_fetch_add(word, by, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}
__device__ inline void add_release_on_device(unsigned* word, unsigned by) {
  __hip_atomic_fetch_add(word, by, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}
/// Adds to a word that a block shares, and returns its value before.
__device__ inline unsigned add_in_block(unsigned* word, unsigned by) {
  return __hip_atomic_fetch_add(word, by, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
__device__ inline void fence_on_device() { __threadfence(); }
__device__ inline void fence_in_system() { __threadfence_system(); }

// These return the value before. Acquire and release.
template <class Word>
__device__ Word fetch_add_on_device(Word* word, Word by) {
  return __hip_atomic_fetch_add(word, by, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
}
template <class Word>
__device__ Word fetch_add_in_system(Word* word, Word by) {
  return __hip_atomic_fetch_add(word, by, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_SYSTEM);
}
template <class Word>
__device__ Word fetch_or_on_device(Word* word, Word bits) {
  return __hip_atomic_fetch_or(word, bits, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
}
template <class Word>
__device__ Word fetch_or_in_system(Word* word, Word bits) {
  return __hip_atomic_fetch_or(word, bits, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_SYSTEM);
}

__device__ inline void assume_global(const void*) {}

/// 16 bytes of which the last 4, which say that the others are there, are stored last and loaded first: this vendor's
/// memory model has no whole ones.
__device__ inline void store_whole(unsigned* to, const unsigned (&values)[4]) {
  for (unsigned i = 0; i < 3; ++i) __hip_atomic_store(to + i, values[i], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
  __hip_atomic_store(to + 3, values[3], __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
}
__device__ inline void load_whole(const unsigned* from, unsigned (&values)[4]) {
  unsigned* const at = const_cast<unsigned*>(from);
  values[3] = __hip_atomic_load(at + 3, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM);
  for (unsigned i = 0; i < 3; ++i) values[i] = __hip_atomic_load(at + i, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}
/// Same as load_whole(), whose first load already acquires.
__device__ inline void acquire_whole(const unsigned* from, unsigned (&values)[4]) { load_whole(from, values); }

/// True if `value` is true in all threads of a wavefront. All of them call it.
__device__ inline bool is_true_for_warp(bool value) { return __all(value) != 0; }
/// Returns a bit for each thread of a wavefront, set where `value` is true. All of them call it.
__device__ inline unsigned long long which_of_warp(bool value) { return __ballot(value); }
__device__ inline void sync_warp() { __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront"); }
/// Returns the value of the wavefront's first thread to all of its threads.
__device__ inline unsigned of_first_in_warp(unsigned value) { return __shfl(value, 0); }

}  // namespace kaon::gpu::vendor
#endif
