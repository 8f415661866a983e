// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/kernels/grid.hpp"

#include <fmt/format.h>

#include "kaon/gpu/backends/error.hpp"

namespace kaon::gpu {
namespace {

constexpr std::size_t kMostSharedBytes = std::size_t{227} << 10;  // of the devices that kernels are compiled for first

bool is_within(const Extent& extent, const Extent& most) {
  return extent.volume() > 0 && extent.x <= most.x && extent.y <= most.y && extent.z <= most.z;
}

}  // namespace

void check_grid(const Grid& grid, const KernelTraits& kernel) {
  constexpr Extent kMostBlocks{(1u << 31) - 1, 65535, 65535};
  constexpr Extent kMostThreads{1024, 1024, 64};
  const auto& [blocks, threads, shared_bytes] = grid;
  if (!is_within(blocks, kMostBlocks) || !is_within(threads, kMostThreads) || threads.volume() > kernel.most_threads)
    throw GpuError(fmt::format(
        "cannot launch kernel {}: its grid has {} x {} x {} blocks of {} x {} x {} threads; each count must be at "
        "least 1, a block of this kernel has at most {} threads (kMostThreads; 64 in z), a grid at most 2^31 - 1 "
        "blocks in x and 65535 in y and z",
        readable_type(kernel.type), blocks.x, blocks.y, blocks.z, threads.x, threads.y, threads.z,
        kernel.most_threads));
  if (shared_bytes > kMostSharedBytes)
    throw GpuError(fmt::format("cannot launch kernel {}: a block has at most {} KiB of shared memory, not {} bytes",
                               readable_type(kernel.type), kMostSharedBytes >> 10, shared_bytes));
}

}  // namespace kaon::gpu
