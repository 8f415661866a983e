// SPDX-License-Identifier: Apache-2.0
// A sweep to compare with the example's: a thread keeps the next x planes in registers whose roles rotate while their
// values stay, so that nothing waits for a load before those after it are on their way. Only for values alone: rows of
// whole tiles, no planes beyond the faces or out of them, the boundary one value everywhere.
#pragma once

#include <cmath>

#include "bench/gpu/floors/cuda.hpp"
#include "examples/jacobi3d/device/sweep_march.hpp"
#include "kaon/gpu/kernels/kernel_body.hpp"

namespace kaon::bench {

// `Ahead`: x planes that are on their way beyond the one that is needed next.
template <int Ahead, bool is_streaming>
class RotatingMarch {
 public:
  using Pair = jacobi3d::Strip<2>;

  __device__ explicit RotatingMarch(const jacobi3d::SweepKernel& block)
      : j_(static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y)),
        k_(static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * 2),
        is_low_y_(j_ == 0),
        is_high_y_(j_ + 1 == block.shape.y),
        is_low_z_(k_ == 0),
        is_high_z_(k_ + 2 == block.shape.z),
        nz_(block.shape.z),
        plane_(std::ptrdiff_t{block.shape.y} * block.shape.z),
        boundary_(block.in[0].value) {
    const jacobi3d::Planes part(block, blockIdx.z, gridDim.z);
    first_ = part.first, last_ = part.last;
    end_ = last_ < block.shape.x ? last_ + 1 : last_;
    const std::ptrdiff_t place = first_ * plane_ + std::ptrdiff_t{j_} * nz_ + k_;
    here_ = block.now + place, next_ = block.next + place;
  }

  __device__ double run() {
    Pair ring[kPlanes];
    for (int p = 0; p < kPlanes - 1; ++p) ring[p] = read(first_, p - 1);
    for (int i = first_; i < last_; i += kPlanes) {
#pragma unroll
      for (int turn = 0; turn < kPlanes; ++turn) {
        if (i + turn >= last_) break;
        ring[(turn + kPlanes - 1) % kPlanes] = read(i + turn, kPlanes - 2);
        relax(ring[turn], ring[(turn + 1) % kPlanes], ring[(turn + 2) % kPlanes]);
        here_ += plane_, next_ += plane_;
      }
    }
    return change_;
  }

 private:
  static constexpr int kPlanes = Ahead + 3;

  __device__ Pair beyond() const { return jacobi3d::all_equal<2>(boundary_); }
  // The x plane `distance` from plane i, where here_ points.
  __device__ Pair read(int i, int distance) const {
    return i + distance >= 0 && i + distance < end_ ? jacobi3d::load<2>(here_ + distance * plane_) : beyond();
  }

  __device__ void relax(const Pair& low, const Pair& center, const Pair& high) {
    const Pair y_low = is_low_y_ ? beyond() : jacobi3d::load<2>(here_ - nz_);
    const Pair y_high = is_high_y_ ? beyond() : jacobi3d::load<2>(here_ + nz_);
    const double z_low[] = {is_low_z_ ? boundary_ : here_[-1], center.at[0]};
    const double z_high[] = {center.at[1], is_high_z_ ? boundary_ : here_[2]};
    Pair sum, value;
    for (int w = 0; w < 2; ++w) {
      sum.at[w] = ((((low.at[w] + high.at[w]) + y_low.at[w]) + y_high.at[w]) + z_low[w]) + z_high[w];
      value.at[w] = jacobi3d::sixth_of_plain(sum.at[w]);
    }
    if (!(jacobi3d::is_plain(sum.at[0]) && jacobi3d::is_plain(sum.at[1]))) {
      for (int w = 0; w < 2; ++w) value.at[w] = divided(sum.at[w]);
    }
    write(value);
    for (int w = 0; w < 2; ++w) {
      const double moved = std::fabs(value.at[w] - center.at[w]);
      change_ = change_ < moved ? moved : change_;
    }
  }

  // Rare: its code stands once.
  __device__ __noinline__ static double divided(double sum) { return sum / 6.0; }

  __device__ void write(const Pair& value) const {
    if constexpr (is_streaming) {
      __stcs(reinterpret_cast<double2*>(next_), make_double2(value.at[0], value.at[1]));
    } else {
      jacobi3d::store(next_, value);
    }
  }

  const int j_, k_;
  const bool is_low_y_, is_high_y_, is_low_z_, is_high_z_;
  const std::ptrdiff_t nz_, plane_;
  const double boundary_;
  int first_ = 0, last_ = 0, end_ = 0;  // x planes: computed, and read
  const double* here_ = nullptr;
  double* next_ = nullptr;
  double change_ = 0;
};

template <int Threads, int BlocksAtOnce, int Ahead, bool is_streaming>
__global__ void __launch_bounds__(Threads, BlocksAtOnce) rotating_sweep(const jacobi3d::SweepKernel kernel) {
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
  gpu::VendorContext at;
  const double moved = at.max(RotatingMarch<Ahead, is_streaming>(kernel).run());
  if (at.is_first()) at.max_into(kernel.change, moved);
}

}  // namespace kaon::bench
