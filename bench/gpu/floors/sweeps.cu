// SPDX-License-Identifier: Apache-2.0
#include "bench/gpu/floors/cuda.hpp"
#include "bench/gpu/floors/sweeps.hpp"
#include "examples/jacobi3d/sweep_march.hpp"
#include "gpu/kernel_body.hpp"

namespace kaon::bench {

namespace {

using jacobi3d::SweepKernel;
constexpr int kThreads = 256, kWidth = 2;

dim3 dim(const gpu::Extent& extent) { return dim3(extent.x, extent.y, extent.z); }

// Rows of even length and aligned planes only, as the benchmark has them.
template <int Rows, int BlocksAtOnce>
__global__ void __launch_bounds__(kThreads, BlocksAtOnce) sweep(const SweepKernel kernel) {
  gpu::VendorContext at;
  const double moved = at.reduce_max(jacobi3d::Share<kWidth, Rows, gpu::VendorContext>(kernel, at).run(at));
  if (at.is_first()) at.max_into(kernel.change, moved);
}

using Function = void (*)(SweepKernel);
struct Compiled {
  int rows, blocks_at_once;
  Function function;
};
const Compiled kCompiled[] = {{1, 2, sweep<1, 2>}, {1, 3, sweep<1, 3>}, {1, 4, sweep<1, 4>}, {2, 2, sweep<2, 2>},
                              {2, 3, sweep<2, 3>}, {2, 4, sweep<2, 4>}, {4, 1, sweep<4, 1>}, {4, 2, sweep<4, 2>}};

unsigned divide_up(int number, int by) { return static_cast<unsigned>((number + by - 1) / by); }

gpu::Grid grid_of(const SweepVariant& variant, const SweepKernel& kernel) {
  const int along_y = kThreads / variant.threads_along_z;
  return {
      {divide_up(kernel.shape.z, variant.threads_along_z * kWidth), divide_up(kernel.shape.y, along_y * variant.rows),
       divide_up(kernel.last_x - kernel.first_x, variant.planes)},
      {static_cast<unsigned>(variant.threads_along_z), static_cast<unsigned>(along_y), 1}};
}

}  // namespace

std::string SweepVariant::name() const {
  return std::to_string(rows) + " rows, " + std::to_string(blocks_at_once) + " blocks at once, " +
         std::to_string(threads_along_z) + "x" + std::to_string(kThreads / threads_along_z) + " threads, " +
         std::to_string(planes) + " planes";
}

std::vector<SweepVariant> sweep_variants(const jacobi3d::Triple& shape) {
  std::vector<SweepVariant> variants;
  for (const Compiled& compiled : kCompiled) {
    for (const int along_z : {32, 64, 128}) {
      for (const int planes : {4, 8, 16, 32, 64, 128}) {
        if (planes <= shape[0] && along_z * kWidth <= shape[2]) {
          variants.push_back({compiled.rows, compiled.blocks_at_once, along_z, planes});
        }
      }
    }
  }
  return variants;
}

void launch_sweep(const SweepVariant& variant, const SweepKernel& kernel, cudaStream_t stream) {
  const gpu::Grid grid = grid_of(variant, kernel);
  for (const Compiled& compiled : kCompiled) {
    if (compiled.rows != variant.rows || compiled.blocks_at_once != variant.blocks_at_once) continue;
    compiled.function<<<dim(grid.blocks), dim(grid.threads), 0, stream>>>(kernel);
    check(cudaGetLastError(), "launch a variant of the sweep");
  }
}

}  // namespace kaon::bench
