// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/backends/backend.hpp"

#include "kaon/gpu/backends/api.hpp"

namespace kaon::gpu {

bool is_built(Backend backend) { return backend == Backend::host || (kHasVendor && backend == kVendor); }

}  // namespace kaon::gpu
