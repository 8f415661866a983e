// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/fetch.kernels.hpp"

#include "kaon/gpu/kernels/copy_bytes.hpp"
#include "kaon/gpu/kernels/kernel_body.hpp"

namespace kaon::gpu {

template <class Context>
KAON_DEVICE void FetchKernel::operator()(Context& at) const {
  copy_bytes(to, from, bytes, at.index(), at.stride());
}

}  // namespace kaon::gpu

KAON_KERNEL(kaon::gpu::FetchKernel);
