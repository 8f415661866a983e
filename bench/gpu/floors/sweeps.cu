// SPDX-License-Identifier: Apache-2.0
#include "bench/gpu/floors/bulk_sweep.cuh"
#include "bench/gpu/floors/cuda.hpp"
#include "bench/gpu/floors/rotating_sweep.cuh"
#include "bench/gpu/floors/sweeps.hpp"
#include "examples/jacobi3d/device/sweep_march.hpp"
#include "kaon/gpu/kernels/kernel_body.hpp"

namespace kaon::bench {

namespace {

using jacobi3d::SweepKernel;
constexpr int kWidth = 2;

// Rows of even length and aligned planes only, as the benchmark has them.
template <int Threads, int Rows, int BlocksAtOnce>
__global__ void __launch_bounds__(Threads, BlocksAtOnce) sweep(const SweepKernel kernel) {
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
  gpu::VendorContext at;
  const double moved = at.max(jacobi3d::Share<kWidth, Rows, gpu::VendorContext>(kernel, at).run(at));
  if (at.is_first()) at.max_into(kernel.change, moved);
}

// The same without a meeting of the block's warps: each tells its largest change alone, if nobody told more before.
template <int Threads, int BlocksAtOnce>
__global__ void __launch_bounds__(Threads, BlocksAtOnce) sweep_by_warps(const SweepKernel kernel) {
  constexpr unsigned kAll = ~0U;
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
  gpu::VendorContext at;
  double moved = jacobi3d::Share<kWidth, 1, gpu::VendorContext>(kernel, at).run(at);
  __syncwarp();
  for (int step = 16; step > 0; step /= 2) moved = fmax(moved, __shfl_xor_sync(kAll, moved, step));
  const bool is_first = (threadIdx.y * blockDim.x + threadIdx.x) % 32 == 0;
  if (is_first && moved > *static_cast<const volatile double*>(kernel.change)) at.max_into(kernel.change, moved);
}

using Function = void (*)(SweepKernel);
struct Compiled {
  int threads, rows, blocks_at_once;
  Function function;
  const char* kind = "";
};
template <int Threads, int Rows, int BlocksAtOnce>
constexpr Compiled compiled() {
  return {Threads, Rows, BlocksAtOnce, sweep<Threads, Rows, BlocksAtOnce>};
}
const Compiled kMarches[] = {compiled<256, 1, 4>(),
                             compiled<256, 1, 5>(),
                             compiled<256, 1, 6>(),
                             compiled<128, 1, 8>(),
                             compiled<128, 1, 9>(),
                             compiled<128, 1, 10>(),
                             compiled<128, 1, 12>(),
                             compiled<256, 2, 2>(),
                             compiled<128, 2, 5>(),
                             {256, 1, 4, sweep_by_warps<256, 4>, ", by warps"},
                             {128, 1, 8, sweep_by_warps<128, 8>, ", by warps"}};
const Compiled kRotating[] = {{256, 1, 4, rotating_sweep<256, 4, 0, false>, ", rotating, 0 ahead"},
                              {256, 1, 5, rotating_sweep<256, 5, 0, false>, ", rotating, 0 ahead"},
                              {256, 1, 4, rotating_sweep<256, 4, 1, false>, ", rotating, 1 ahead"},
                              {256, 1, 4, rotating_sweep<256, 4, 1, true>, ", rotating, 1 ahead, streaming"},
                              {256, 1, 5, rotating_sweep<256, 5, 1, false>, ", rotating, 1 ahead"},
                              {128, 1, 8, rotating_sweep<128, 8, 1, false>, ", rotating, 1 ahead"},
                              {256, 1, 4, rotating_sweep<256, 4, 2, false>, ", rotating, 2 ahead"},
                              {256, 1, 3, rotating_sweep<256, 3, 3, false>, ", rotating, 3 ahead"}};

struct CompiledBulk {
  int rows, stages, blocks_at_once;
  bool is_streaming;
  Function function;
};
template <int Rows, int Stages, int BlocksAtOnce, bool is_streaming>
constexpr CompiledBulk bulk() {
  return {Rows, Stages, BlocksAtOnce, is_streaming, bulk_sweep<Rows, Stages, BlocksAtOnce, is_streaming>};
}
const CompiledBulk kBulks[] = {bulk<4, 4, 4, false>(), bulk<4, 4, 5, false>(), bulk<4, 4, 6, false>(),
                               bulk<4, 3, 6, false>(), bulk<4, 6, 4, false>(), bulk<8, 3, 3, false>(),
                               bulk<8, 4, 2, false>(), bulk<8, 4, 3, false>(), bulk<2, 4, 10, false>(),
                               bulk<4, 4, 5, true>(),  bulk<4, 6, 4, true>(),  bulk<8, 4, 3, true>()};

unsigned divide_up(int number, int by) { return static_cast<unsigned>((number + by - 1) / by); }

// With `is_early` the blocks come to the device while the kernel before still runs, and wait there for its end.
void launch(Function function, const gpu::Grid& grid, bool is_early, const SweepKernel& kernel, cudaStream_t stream) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = dim3(grid.blocks.x, grid.blocks.y, grid.blocks.z);
  configuration.blockDim = dim3(grid.threads.x, grid.threads.y, grid.threads.z);
  configuration.stream = stream;
  configuration.attrs = &attribute;
  configuration.numAttrs = is_early ? 1 : 0;
  check(cudaLaunchKernelEx(&configuration, function, kernel), "launch a variant of the sweep");
}

// One variant, or two: whether a launch is early matters where kernels are short.
void add(std::vector<SweepVariant>& variants, const SweepVariant& variant, Function function, const gpu::Grid& grid,
         bool is_short) {
  for (const bool is_early : {false, true}) {
    if (is_early && !is_short) continue;
    const auto run = [=](const SweepKernel& kernel, cudaStream_t stream) {
      launch(function, grid, is_early, kernel, stream);
    };
    variants.push_back({variant.kernel + (is_early ? ", early" : ""), variant.grid, run});
  }
}

std::string described(const gpu::Grid& grid, int planes) {
  return std::to_string(grid.threads.x) + "x" + std::to_string(grid.threads.y) + " threads, " + std::to_string(planes) +
         " planes";
}

void add_march(std::vector<SweepVariant>& variants, const Compiled& march, int along_z, int planes,
               const jacobi3d::Triple& shape, bool is_short) {
  const int along_y = march.threads / along_z;
  const gpu::Grid grid{
      {divide_up(shape[2], along_z * kWidth), divide_up(shape[1], along_y * march.rows), divide_up(shape[0], planes)},
      {static_cast<unsigned>(along_z), static_cast<unsigned>(along_y), 1}};
  const std::string kernel = std::to_string(march.rows) + " rows, " + std::to_string(march.blocks_at_once) +
                             " blocks of " + std::to_string(march.threads) + " at once" + march.kind;
  add(variants, {kernel, described(grid, planes), {}}, march.function, grid, is_short);
}

void add_bulk(std::vector<SweepVariant>& variants, const CompiledBulk& bulk, int planes, const jacobi3d::Triple& shape,
              bool is_short) {
  constexpr unsigned kAlongZ = kTileColumns / 2;
  const gpu::Grid grid{{divide_up(shape[2], kTileColumns), divide_up(shape[1], bulk.rows), divide_up(shape[0], planes)},
                       {kAlongZ, static_cast<unsigned>(bulk.rows), 1}};
  const std::string kernel =
      "bulk, " + std::to_string(bulk.stages) + " stages, " + std::to_string(bulk.blocks_at_once) + " blocks of " +
      std::to_string(grid.threads.volume()) + " at once" + (bulk.is_streaming ? ", streaming" : "");
  // These blocks use no first-level cache: all of it can be shared memory.
  check(cudaFuncSetAttribute(bulk.function, cudaFuncAttributePreferredSharedMemoryCarveout, 100), "set shared memory");
  add(variants, {kernel, described(grid, planes), {}}, bulk.function, grid, is_short);
}

}  // namespace

std::vector<SweepVariant> sweep_variants(const jacobi3d::Triple& shape) {
  constexpr int kTallest = 8;  // rows of a bulk tile
  const bool has_tiles = shape[2] % kTileColumns == 0 && shape[1] % kTallest == 0;
  const bool is_short = jacobi3d::volume(shape) <= std::size_t{1} << 24;
  const std::vector<int> lengths =
      is_short ? std::vector<int>{4, 6, 8, 12, 16, 24, 32} : std::vector<int>{16, 32, 64, 128};
  std::vector<SweepVariant> variants;
  for (const int planes : lengths) {
    if (planes > shape[0]) continue;
    for (const Compiled& march : kMarches) {
      for (const int along_z : {32, 64}) add_march(variants, march, along_z, planes, shape, is_short);
    }
    if (!has_tiles) continue;
    for (const Compiled& march : kRotating) {
      for (const int along_z : {32, 64}) add_march(variants, march, along_z, planes, shape, is_short);
    }
    for (const CompiledBulk& bulk : kBulks) add_bulk(variants, bulk, planes, shape, is_short);
  }
  return variants;
}

}  // namespace kaon::bench
