// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/kernels/flag_device.hpp"
#include "kaon/gpu/kernels/kernel.hpp"

namespace kaon::gpu {

/// Waits in the order of a stream until a flag is raised, by one thread, for vendors whose streams cannot.
struct FlagWaitKernel {
  FlagWord flag;
  std::uint32_t k;

  template <class Context>
  KAON_DEVICE void operator()(Context& at) const;
};

}  // namespace kaon::gpu
