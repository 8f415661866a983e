// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/backends/api.hpp"

#if defined(KAON_DEVICE_COMPILER)
#include <cstddef>
#include <typeinfo>

#include "kaon/gpu/error.hpp"
#include "kaon/gpu/kernels/kernel.hpp"

namespace kaon::gpu {

/// What a kernel sees on a real device: one thread of the grid.
class VendorContext {
 public:
  KAON_DEVICE std::size_t index() const {
    return position(extent_of(blockIdx), extent_of(gridDim)) * threads().volume() + place();
  }
  KAON_DEVICE std::size_t stride() const { return blocks().volume() * threads().volume(); }
  KAON_DEVICE Extent block() const { return extent_of(blockIdx); }
  KAON_DEVICE Extent blocks() const { return extent_of(gridDim); }
  KAON_DEVICE Extent thread() const { return extent_of(threadIdx); }
  KAON_DEVICE Extent threads() const { return extent_of(blockDim); }
  KAON_DEVICE bool is_first() const { return place() == 0; }

  KAON_DEVICE void sync() { __syncthreads(); }

  template <class T>
  KAON_DEVICE void add_into(T* cell, T value) {
    atomicAdd(cell, value);
  }
  /// By the bits: those of doubles that are not negative are ordered as the numbers are. Relaxed: whoever reads the
  /// cell waits for the kernel.
  KAON_DEVICE void max_into(double* cell, double value) {
    atomicMax(reinterpret_cast<unsigned long long*>(cell),
              static_cast<unsigned long long>(__double_as_longlong(value)));
  }

  /// Each warp finds its maximum, then the first warp theirs. All threads of the block must come.
  KAON_DEVICE double reduce_max(double value) {
    __shared__ double of_warps[kMostWarps];
    const unsigned lane = place() % warpSize;
    const unsigned warp = place() / warpSize;
    const auto count = static_cast<unsigned>(threads().volume());
    const unsigned warps = (count + warpSize - 1) / warpSize;
    value = reduce_warp(value, lane, min(count - warp * warpSize, static_cast<unsigned>(warpSize)));
    if (lane == 0) of_warps[warp] = value;
    __syncthreads();
    if (warp == 0) value = reduce_warp(lane < warps ? of_warps[lane] : 0, lane, warps);
    __syncthreads();  // the next call writes `of_warps` again
    return value;
  }

 private:
  static constexpr unsigned kMostWarps = 32;  // 1024 threads in warps of 32; a vendor with wider warps needs fewer

  template <class Vector>
  KAON_DEVICE static Extent extent_of(const Vector& vector) {
    return {vector.x, vector.y, vector.z};
  }
  KAON_DEVICE static std::size_t position(const Extent& at, const Extent& in) {
    return (std::size_t{at.z} * in.y + at.y) * in.x + at.x;
  }
  /// Of this thread in its block.
  KAON_DEVICE unsigned place() const { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }

  /// The maximum over the first `count` lanes, in lane 0. All lanes that the block has must come.
  KAON_DEVICE static double reduce_warp(double value, unsigned lane, unsigned count) {
    for (unsigned step = warpSize / 2; step > 0; step /= 2) {
      const double other = vendor::value_of_lane_above(value, step);
      if (lane + step < count && value < other) value = other;
    }
    return value;
  }
};

template <class Kernel>
__global__ void __launch_bounds__(most_threads<Kernel>(),
                                  vendor::launch_bound(most_threads<Kernel>(), blocks_at_once<Kernel>()))
    run_kernel(const Kernel kernel) {
  VendorContext at;
  kernel(at);
}

template <class Kernel>
void launch_on_vendor(NativeStream stream, const Grid& grid, const Kernel& kernel) {
  const char* const name = typeid(Kernel).name();
  check_grid(grid, name, most_threads<Kernel>());
  const auto& [blocks, threads] = grid;
  void* arguments[] = {const_cast<Kernel*>(&kernel)};
  const vendor::Status status =
      vendor::launch(reinterpret_cast<const void*>(&run_kernel<Kernel>), dim3(blocks.x, blocks.y, blocks.z),
                     dim3(threads.x, threads.y, threads.z), arguments, static_cast<vendor::Stream>(stream));
  if (status != vendor::kSuccess) check_vendor(status, "launch kernel " + readable_type(name));
}

}  // namespace kaon::gpu
#endif
