// SPDX-License-Identifier: Apache-2.0
#pragma once
// For sources of kernels with STARTS_COPIES alone.
#include "kaon/gpu/backends/api.hpp"
#include "kaon/gpu/backends/host_queue.hpp"

namespace kaon::gpu {

/// Starts prepared copies, by the back end that is being compiled.
struct CopyStarter {
  /// False: not now.
  KAON_DEVICE static bool start(NativeCopy copy) {
#if defined(KAON_DEVICE_COMPILER)
    return vendor::start_graph(copy);
#else
    start_copy_on_host(copy);
    return true;
#endif
  }
};

}  // namespace kaon::gpu
