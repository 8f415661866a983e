// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/backends/api.hpp"

#if defined(KAON_DEVICE_COMPILER)
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/backends/kernel_record.hpp"
#include "kaon/gpu/kernels/block_values.hpp"
#include "kaon/gpu/kernels/fetching_cells.hpp"
#include "kaon/gpu/kernels/flag_device.hpp"
#include "kaon/gpu/kernels/kernel.hpp"
#include "kaon/gpu/kernels/vendor_words.hpp"

namespace kaon::gpu {

/// The context of a kernel on a real device: one thread of the grid.
class VendorContext : public FetchingCells<VendorWords> {
 public:
  KAON_DEVICE std::size_t index() const { return blocks().number(block()) * threads().volume() + place(); }
  KAON_DEVICE std::size_t stride() const { return blocks().volume() * threads().volume(); }
  KAON_DEVICE Extent block() const { return extent_of(blockIdx); }
  KAON_DEVICE Extent blocks() const { return extent_of(gridDim); }
  KAON_DEVICE Extent thread() const { return extent_of(threadIdx); }
  KAON_DEVICE Extent threads() const { return extent_of(blockDim); }
  KAON_DEVICE bool is_first() const { return place() == 0; }
  KAON_DEVICE DynamicShared dynamic_shared() const {
    extern __shared__ double2 kaon_dynamic_shared[];  // aligned to 16 bytes
    return DynamicShared(kaon_dynamic_shared);
  }

  KAON_DEVICE void sync() { __syncthreads(); }
  template <BlockValue T>
  KAON_DEVICE T sum(T value) {
    return reduce(value, [](T a, T b) { return a + b; });
  }
  template <BlockValue T>
  KAON_DEVICE T min(T value) {
    return reduce(value, [](T a, T b) { return b < a ? b : a; });
  }
  template <BlockValue T>
  KAON_DEVICE T max(T value) {
    return reduce(value, [](T a, T b) { return a < b ? b : a; });
  }
  template <BlockValue T>
  KAON_DEVICE T inclusive_scan(T value) {
    const T through = scan_warp(value);
    return sum_of_earlier_warps(through) + through;
  }
  template <BlockValue T>
  KAON_DEVICE T exclusive_scan(T value) {
    const T through = scan_warp(value);
    const T before = vendor::value_of_lane_below(through, 1, lanes());
    const T earlier = sum_of_earlier_warps(through);
    return lane() == 0 ? earlier : earlier + before;
  }

  template <class T>
  KAON_DEVICE void add_into(T* cell, std::type_identity_t<T> value) {
    atomicAdd(cell, value);
  }
  /// By the bits: those of doubles that are not negative are ordered as the numbers are. Relaxed: whoever reads the
  /// cell waits for the kernel.
  KAON_DEVICE void max_into(double* cell, double value) {
    atomicMax(reinterpret_cast<unsigned long long*>(cell),
              static_cast<unsigned long long>(__double_as_longlong(value)));
  }

  template <class Nothing = void>
  KAON_DEVICE void sync_grid() {
    static_assert(!std::is_void_v<Nothing>, "sync_grid(): the kernel must say static constexpr bool kIsCooperative");
  }
  KAON_DEVICE std::uint32_t value_of(FlagWord flag) const { return vendor::load_acquire(flag.word); }
  KAON_DEVICE bool has_reached(FlagWord flag, std::uint32_t k) const { return FlagWord::is_reached(value_of(flag), k); }
  KAON_DEVICE void raise(FlagWord flag, std::uint32_t by = 1, Scope scope = Scope::system) {
    if (scope == Scope::device)
      vendor::add_release_on_device(flag.word, by);
    else
      vendor::add_release(flag.word, by);
  }
  KAON_DEVICE void raise_to(FlagWord flag, std::uint32_t k) { vendor::store_release(flag.word, k); }
  template <class Nothing = void>
  KAON_DEVICE bool wait_for(FlagWord, std::uint32_t, WaitLimit = {}) {
    static_assert(!std::is_void_v<Nothing>, "wait_for(): the kernel must say static constexpr bool kIsCooperative");
    return false;
  }
  KAON_DEVICE void wait_for_earlier() { vendor::wait_for_earlier(); }
  KAON_DEVICE void let_next_start() { vendor::let_next_start(); }
  KAON_DEVICE std::uint64_t nanoseconds() const { return VendorWords::nanoseconds(); }

 protected:
  /// The number of this thread in its block.
  KAON_DEVICE unsigned place() const { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }

 private:
  static constexpr unsigned kMostWarps = 32;  // 1024 threads in warps of 32; a vendor with wider warps needs fewer

  template <class Vector>
  KAON_DEVICE static Extent extent_of(const Vector& vector) {
    return {vector.x, vector.y, vector.z};
  }
  KAON_DEVICE unsigned count() const { return blockDim.x * blockDim.y * blockDim.z; }
  KAON_DEVICE unsigned lane() const { return place() % warpSize; }
  KAON_DEVICE unsigned warp() const { return place() / warpSize; }
  KAON_DEVICE unsigned warps() const { return (count() + warpSize - 1) / warpSize; }
  /// The number of threads in this thread's warp: the last one may have fewer.
  KAON_DEVICE unsigned lanes() const {
    const unsigned from_here = count() - warp() * warpSize;
    return from_here < static_cast<unsigned>(warpSize) ? from_here : static_cast<unsigned>(warpSize);
  }

  /// A value of each warp, for all threads of the block.
  template <class T>
  KAON_DEVICE static T* of_warps() {
    __shared__ unsigned long long values[kMostWarps];
    return reinterpret_cast<T*>(values);
  }

  /// Each warp combines its values, then every thread those of the warps.
  template <class T, class Operation>
  KAON_DEVICE T reduce(T value, Operation combine) {
    for (unsigned step = warpSize / 2; step > 0; step /= 2) {
      const T other = vendor::value_of_lane_above(value, step, lanes());
      if (lane() + step < lanes()) value = combine(value, other);
    }
    T* const values = of_warps<T>();
    if (lane() == 0) values[warp()] = value;
    __syncthreads();
    value = values[0];
    for (unsigned i = 1; i < warps(); ++i) value = combine(value, values[i]);
    __syncthreads();  // the next call writes `values` again
    return value;
  }

  /// The sum over the lanes up to this one.
  template <class T>
  KAON_DEVICE T scan_warp(T value) {
    for (unsigned step = 1; step < static_cast<unsigned>(warpSize); step *= 2) {
      const T other = vendor::value_of_lane_below(value, step, lanes());
      if (lane() >= step) value = other + value;
    }
    return value;
  }
  /// `through`: what scan_warp() returned.
  template <class T>
  KAON_DEVICE T sum_of_earlier_warps(T through) {
    T* const values = of_warps<T>();
    if (lane() + 1 == lanes()) values[warp()] = through;
    __syncthreads();
    T sum{};
    for (unsigned i = 0; i < warp(); ++i) sum += values[i];
    __syncthreads();
    return sum;
  }
};

class VendorWarp;
/// The context of a kernel all of whose blocks run at once.
class CooperativeContext : public VendorContext {
 public:
  using Words = VendorWords;
  using Warp = VendorWarp;  // each of a block's, where they work by themselves
  static constexpr bool kIsWarp = false;
  KAON_DEVICE bool is_in_first_warp() const { return place() < static_cast<unsigned>(warpSize); }
  KAON_DEVICE void sync_grid() { vendor::sync_grid(); }
  /// The clock is asked seldom: a look at it takes as long as many at a flag.
  KAON_DEVICE bool wait_for(FlagWord flag, std::uint32_t k, WaitLimit limit = {}) {
    constexpr unsigned kLooksBetween = 256;
    unsigned long long start = 0;
    for (unsigned looks = 1; !has_reached(flag, k); ++looks) {
      if (looks % kLooksBetween != 0) continue;
      const unsigned long long now = vendor::nanoseconds();
      if (start == 0) start = now;
      if (now - start > limit.nanoseconds) return has_reached(flag, k);
    }
    return true;
  }
  KAON_DEVICE void give_way() {}
  template <class Found, class Look>
  KAON_DEVICE Found find(Look look) {
    Found found{};
    for (unsigned looks = 0; !look(looks, found); ++looks) continue;
    return found;
  }
};

template <class Kernel>
__global__ void __launch_bounds__(most_threads<Kernel>(),
                                  vendor::launch_bound(most_threads<Kernel>(), blocks_at_once<Kernel>()))
    run_kernel(const Kernel kernel) {
  std::conditional_t<is_cooperative<Kernel>(), CooperativeContext, VendorContext> at;
  __shared__ SharedOf<Kernel> shared;
  run_body(kernel, at, shared);
}

template <class Kernel>
void VendorKernel<Kernel>::launch(NativeStream stream, const Grid& grid, const Kernel& kernel) {
  const KernelTraits traits = traits_of<Kernel>();
  check_grid(grid, traits);
  const auto& [blocks, threads, shared_bytes] = grid;
  void* arguments[] = {const_cast<Kernel*>(&kernel)};
  const vendor::Status status = vendor::launch({.function = reinterpret_cast<const void*>(&run_kernel<Kernel>),
                                                .blocks = dim3(blocks.x, blocks.y, blocks.z),
                                                .threads = dim3(threads.x, threads.y, threads.z),
                                                .arguments = arguments,
                                                .shared_bytes = shared_bytes,
                                                .is_cooperative = traits.is_cooperative,
                                                .starts_early = traits.starts_early,
                                                .stream = static_cast<vendor::Stream>(stream)});
  if (status != vendor::kSuccess) check_vendor(status, "launch kernel " + readable_type(traits.type));
}

template <class Kernel>
unsigned VendorKernel<Kernel>::blocks_on_processor(unsigned threads) {
  int blocks = 0;
  const vendor::Status status =
      vendor::blocks_on_processor(&blocks, reinterpret_cast<const void*>(&run_kernel<Kernel>), threads);
  if (status != vendor::kSuccess)
    check_vendor(status, "ask how many blocks run at once of " + readable_type(typeid(Kernel).name()));
  return static_cast<unsigned>(blocks);
}

template <class Kernel>
const KernelRecord VendorKernel<Kernel>::record(reinterpret_cast<const void*>(&run_kernel<Kernel>));

}  // namespace kaon::gpu
#endif
