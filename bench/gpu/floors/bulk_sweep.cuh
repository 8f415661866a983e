// SPDX-License-Identifier: Apache-2.0
// A sweep to compare with the example's: a block of threads keeps several x planes of its tile on their way to shared
// memory, as bulk copies that need no registers, and takes what lies beside its points from there. Only for values
// alone: rows of whole tiles, no planes beyond the faces or out of them, the boundary one value everywhere.
#pragma once

#include <cmath>
#include <cstdint>

#include "bench/gpu/floors/cuda.hpp"
#include "examples/jacobi3d/device/sweep_march.hpp"
#include "kaon/gpu/kernels/kernel_body.hpp"

namespace kaon::bench {

inline constexpr int kTileColumns = 128, kMargin = 2;  // points; a margin keeps rows aligned to 16 bytes
inline constexpr int kPitch = kTileColumns + 2 * kMargin;

template <int Rows, int Stages>
struct TilePlanes {
  alignas(16) double at[Stages][Rows + 2][kPitch];
  std::uint64_t arrived[Stages];  // barriers in the shared memory
};

__device__ inline unsigned shared_address(const void* memory) {
  return static_cast<unsigned>(__cvta_generic_to_shared(memory));
}
__device__ inline void prepare_barrier(std::uint64_t& barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&barrier)) : "memory");
}
__device__ inline void expect(std::uint64_t& barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)), "r"(bytes)
               : "memory");
}
// Bounded: a copy that never comes ends the kernel, and the program with an error.
__device__ inline void wait(std::uint64_t& barrier, unsigned parity) {
  unsigned is_done = 0;
  for (int tries = 0; is_done == 0; ++tries) {
    if (tries == 1 << 22) __trap();
    asm volatile(
        "{ .reg .pred done; mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2; selp.u32 %0, 1, 0, done; }"
        : "=r"(is_done)
        : "r"(shared_address(&barrier)), "r"(parity)
        : "memory");
  }
}
__device__ inline void copy_row(double* to, const double* from, unsigned bytes, std::uint64_t& barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared_address(to)),
               "l"(from), "r"(bytes), "r"(shared_address(&barrier))
               : "memory");
}
// What threads wrote to shared memory is seen by copies that are started after it.
__device__ inline void publish_to_copies() {
  asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;" ::: "memory");
}

template <int Rows, int Stages, bool is_streaming>
class BulkMarch {
 public:
  using Planes = TilePlanes<Rows, Stages>;
  using Pair = jacobi3d::Strip<2>;

  __device__ BulkMarch(const jacobi3d::SweepKernel& block, Planes& planes)
      : block_(block),
        planes_(planes),
        y_(static_cast<int>(blockIdx.y) * Rows),
        z_(static_cast<int>(blockIdx.x) * kTileColumns),
        plane_(std::ptrdiff_t{block.shape.y} * block.shape.z),
        row_(static_cast<int>(threadIdx.y) + 1),
        column_(static_cast<int>(threadIdx.x) * 2 + kMargin),
        boundary_(block.in[0].value) {
    const jacobi3d::Planes part(block, blockIdx.z, gridDim.z);
    first_ = part.first, last_ = part.last;
    end_ = last_ < block.shape.x ? last_ + 1 : last_;
  }

  __device__ double run() {
    if (first_ >= last_) return 0;
    prepare();
    for (int s = 0; s < Stages; ++s) start_copy(first_ + s, s);
    const std::ptrdiff_t place = std::ptrdiff_t{y_ + row_ - 1} * block_.shape.z + z_ + column_ - kMargin;
    double* next = block_.next + first_ * plane_ + place;
    Pair low = first_ > 0 ? jacobi3d::load<2>(block_.now + (first_ - 1) * plane_ + place) : beyond();
    wait(planes_.arrived[0], 0);
    Pair center = own(0);
    int stage = 0;
    unsigned parity = 0;
    for (int i = first_; i < last_; ++i, next += plane_) {
      const int current = stage;
      if (++stage == Stages) stage = 0, parity ^= 1;
      if (i + 1 < end_) wait(planes_.arrived[stage], parity);
      const Pair high = i + 1 < end_ ? own(stage) : beyond();
      write(next, relaxed(current, low, center, high));
      __syncthreads();  // the plane was read
      start_copy(i + Stages, current);
      low = center, center = high;
    }
    return change_;
  }

 private:
  __device__ Pair beyond() const { return jacobi3d::all_equal<2>(boundary_); }
  __device__ Pair own(int stage) const { return jacobi3d::load<2>(&planes_.at[stage][row_][column_]); }

  // The boundary beside the tile is written once and stays: no copy reaches it.
  __device__ void prepare() {
    const int thread = (row_ - 1) * static_cast<int>(blockDim.x) + static_cast<int>(threadIdx.x);
    const bool is_at_face = y_ == 0 || y_ + Rows == block_.shape.y || z_ == 0 || z_ + kTileColumns == block_.shape.z;
    double* const all = &planes_.at[0][0][0];
    for (int i = thread; is_at_face && i < Stages * (Rows + 2) * kPitch; i += Rows * kTileColumns / 2) {
      all[i] = boundary_;
    }
    if (thread < Stages) prepare_barrier(planes_.arrived[thread]);
    publish_to_copies();
    __syncthreads();
  }

  // By the first warp, a row a lane.
  __device__ void start_copy(int i, int stage) {
    if (threadIdx.y != 0 || threadIdx.x >= 32 || i >= end_) return;
    const int first_row = y_ == 0 ? 1 : 0, end_row = y_ + Rows == block_.shape.y ? Rows + 1 : Rows + 2;
    const int first_column = z_ == 0 ? kMargin : 0;
    const int end_column = z_ + kTileColumns == block_.shape.z ? kPitch - kMargin : kPitch;
    const auto bytes = static_cast<unsigned>((end_column - first_column) * static_cast<int>(sizeof(double)));
    if (threadIdx.x == 0) expect(planes_.arrived[stage], bytes * static_cast<unsigned>(end_row - first_row));
    __syncwarp();
    const int row = static_cast<int>(threadIdx.x);
    if (row < first_row || row >= end_row) return;
    const double* const from = block_.now + i * plane_ + std::ptrdiff_t{y_ + row - 1} * block_.shape.z + z_ - kMargin;
    copy_row(&planes_.at[stage][row][first_column], from + first_column, bytes, planes_.arrived[stage]);
  }

  __device__ Pair relaxed(int stage, const Pair& low, const Pair& center, const Pair& high) {
    const auto& rows = planes_.at[stage];
    const Pair y_low = jacobi3d::load<2>(&rows[row_ - 1][column_]);
    const Pair y_high = jacobi3d::load<2>(&rows[row_ + 1][column_]);
    const double z_low[] = {rows[row_][column_ - 1], center.at[0]};
    const double z_high[] = {center.at[1], rows[row_][column_ + 2]};
    Pair value;
    for (int w = 0; w < 2; ++w) {
      value.at[w] = jacobi3d::sixth(((((low.at[w] + high.at[w]) + y_low.at[w]) + y_high.at[w]) + z_low[w]) + z_high[w]);
      const double moved = std::fabs(value.at[w] - center.at[w]);
      change_ = change_ < moved ? moved : change_;
    }
    return value;
  }

  // Streaming: leaves the second-level cache first.
  __device__ static void write(double* to, const Pair& value) {
    if constexpr (is_streaming) {
      __stcs(reinterpret_cast<double2*>(to), make_double2(value.at[0], value.at[1]));
    } else {
      jacobi3d::store(to, value);
    }
  }

  const jacobi3d::SweepKernel& block_;
  Planes& planes_;
  const int y_, z_;  // of the tile's first point
  const std::ptrdiff_t plane_;
  const int row_, column_;  // of the thread's first point in the tile's planes
  const double boundary_;
  int first_ = 0, last_ = 0, end_ = 0;  // x planes: computed, and read
  double change_ = 0;
};

template <int Rows, int Stages, int BlocksAtOnce, bool is_streaming>
__global__ void __launch_bounds__(Rows* kTileColumns / 2, BlocksAtOnce) bulk_sweep(const jacobi3d::SweepKernel kernel) {
  __shared__ TilePlanes<Rows, Stages> planes;
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
  gpu::VendorContext at;
  const double moved = at.max(BulkMarch<Rows, Stages, is_streaming>(kernel, planes).run());
  if (at.is_first()) at.max_into(kernel.change, moved);
}

}  // namespace kaon::bench
