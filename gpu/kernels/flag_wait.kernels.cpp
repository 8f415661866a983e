// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/kernels/flag_wait.kernels.hpp"

#include "kaon/gpu/kernels/kernel_body.hpp"

namespace kaon::gpu {

// Without an end, as the wait of a stream has none: the end of the run has its time-out.
template <class Context>
KAON_DEVICE void FlagWaitKernel::operator()(Context& at) const {
  while (!at.has_reached(flag, k)) continue;
}

}  // namespace kaon::gpu

KAON_KERNEL(kaon::gpu::FlagWaitKernel);
