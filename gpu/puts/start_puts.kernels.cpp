// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/puts/start_puts.kernels.hpp"

#include "kaon/gpu/kernels/kernel_body.hpp"

namespace kaon::gpu {

template <class Context>
KAON_DEVICE void StartPutsKernel::operator()(Context& at) const {
  if (!at.is_first()) return;
  for (std::uint32_t put = 0; put < ring.puts; ++put)
    if (!ring.start(at, put, value)) return;
}

}  // namespace kaon::gpu

KAON_KERNEL(kaon::gpu::StartPutsKernel);
