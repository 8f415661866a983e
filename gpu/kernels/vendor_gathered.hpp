// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/backends/api.hpp"

#if defined(KAON_DEVICE_COMPILER)
#include "kaon/gpu/kernels/gathered.hpp"
#include "kaon/gpu/kernels/vendor_context.hpp"

namespace kaon::gpu {

/// The arguments stay where a launch puts them: without saying so, each thread would have a copy of all.
template <class Kernel, std::size_t kBytes>
__global__ void __launch_bounds__(most_threads<Kernel>(),
                                  vendor::launch_bound(most_threads<Kernel>(), blocks_at_once<Kernel>()))
    run_gathered(const KAON_GRID_CONSTANT GatheredArguments<Kernel, kBytes> all) {
  const GatheredKernel<Kernel>& own = all.kernels[all.find(blockIdx.x)];
  GatheredContext<VendorContext> at(own.blocks, blockIdx.x - own.first_block);
  __shared__ SharedOf<Kernel> shared;
  run_body(own.kernel, at, shared);
}

template <class Kernel>
void VendorGathered<Kernel, true>::launch(NativeStream stream, const Grid& block, const ManyGathered<Kernel>& kernels) {
  const bool are_few = kernels.count <= FewGathered<Kernel>::kMost;
  const GatheredKernel<Kernel>& last = kernels.kernels[kernels.count - 1];
  void* arguments[] = {const_cast<ManyGathered<Kernel>*>(&kernels)};  // of few, its beginning
  const vendor::Status status =
      vendor::launch({.function = are_few ? few.function() : many.function(),
                      .blocks = dim3(last.first_block + static_cast<unsigned>(last.blocks.volume())),
                      .threads = dim3(block.threads.x, block.threads.y, block.threads.z),
                      .arguments = arguments,
                      .shared_bytes = block.shared_bytes,
                      .is_cooperative = false,
                      .starts_early = starts_early<Kernel>(),
                      .stream = static_cast<vendor::Stream>(stream)});
  if (status == vendor::kSuccess) return;
  check_vendor(status, "launch gathered kernels " + readable_type(traits_of<Kernel>().type));
}

template <class Kernel>
const KernelRecord VendorGathered<Kernel, true>::few(
    reinterpret_cast<const void*>(&run_gathered<Kernel, kFewArguments>));
template <class Kernel>
const KernelRecord VendorGathered<Kernel, true>::many(
    reinterpret_cast<const void*>(&run_gathered<Kernel, kManyArguments>));

}  // namespace kaon::gpu
#endif
