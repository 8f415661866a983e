// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/kernels/host_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kaon/gpu/backends/error.hpp"

namespace kaon::gpu {

void check_cooperative(const Grid& grid, const KernelTraits& kernel) {
  const std::size_t threads = grid.blocks.volume() * grid.threads.volume();
  if (threads > HostFibres::kMost)
    throw GpuError(fmt::format(
        "cannot launch kernel {}: its blocks run at once, and the emulation runs at most {} threads at once, not {}",
        readable_type(kernel.type), HostFibres::kMost, threads));
}

void name_faults(const KernelTraits& kernel, const std::function<void()>& run) {
  try {
    run();
  } catch (const std::exception& error) {
    throw GpuError(fmt::format("kernel {}: {}", readable_type(kernel.type), error.what()));
  }
}

Grid flat_grid(Backend backend, int processors, std::size_t count) {
  if (backend == Backend::host) return {};  // one thread, which walks through all
  constexpr std::size_t kBlocksOfAProcessor = 16;
  const std::size_t needed = (count + kThreadsOfABlock - 1) / kThreadsOfABlock;
  const std::size_t most = kBlocksOfAProcessor * static_cast<std::size_t>(std::max(processors, 1));
  return {{static_cast<unsigned>(std::clamp<std::size_t>(needed, 1, most))}, {kThreadsOfABlock}};
}

}  // namespace kaon::gpu
