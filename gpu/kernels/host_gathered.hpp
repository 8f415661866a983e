// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "kaon/gpu/kernels/gathered.hpp"
#include "kaon/gpu/kernels/host_kernel.hpp"

namespace kaon::gpu {

/// The last one first: who relies on their order gets wrong results here, and not on some devices alone.
template <class Kernel>
void HostGathered<Kernel, true>::launch(NativeStream stream, const Grid& block, const ManyGathered<Kernel>& given) {
  const std::vector<GatheredKernel<Kernel>> kernels(given.kernels, given.kernels + given.count);
  enqueue_on_host(stream, [=] {
    for (auto each = kernels.rbegin(); each != kernels.rend(); ++each) {
      const Grid grid = host_grid<Kernel>({each->blocks, block.threads, block.shared_bytes});
      if constexpr (needs_threads<Kernel>())
        name_faults(traits_of<Kernel>(), [&] { run_threads(each->kernel, fibres_of(stream), grid); });
      else
        run_blocks(each->kernel, grid);
    }
  });
}

}  // namespace kaon::gpu
