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

// Few blocks go through a large count in two waves, and what another kernel takes of the device makes that three: many
// lose little. They cost nothing as long as each thread has several values. Measured by copies of 2^18 to 2^28 values,
// beside a resident scheduler and alone: docs/results/gpu_entries.md.
Grid flat_grid(Backend backend, int processors, std::size_t count) {
  if (backend == Backend::host) return {};       // one thread, which walks through all
  constexpr std::size_t kFew = 16, kMany = 256;  // blocks of a processor
  constexpr std::size_t kValuesOfAThreadOfMany = 8;
  const std::size_t needed = (count + kThreadsOfABlock - 1) / kThreadsOfABlock;
  const auto all = static_cast<std::size_t>(std::max(processors, 1));
  const std::size_t most = std::clamp(needed / kValuesOfAThreadOfMany, kFew * all, kMany * all);
  return {{static_cast<unsigned>(std::clamp<std::size_t>(needed, 1, most))}, {kThreadsOfABlock}};
}

}  // namespace kaon::gpu
