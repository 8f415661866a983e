// SPDX-License-Identifier: Apache-2.0
#include "gpu/backend.hpp"

#include "gpu/api.hpp"

namespace kaon::gpu {

bool is_built(Backend backend) { return backend == Backend::host || (kHasVendor && backend == kVendor); }

}  // namespace kaon::gpu
