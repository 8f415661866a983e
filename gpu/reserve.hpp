// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

namespace kaon::gpu {

/// Takes memory of this PE's device from the driver now and for the rest of the run, for all PEs of this process that
/// use the device: for programs that know what they need, as more memory later costs a call of the driver that may wait
/// for the device. Throws OutOfMemory.
void reserve(std::size_t bytes);

}  // namespace kaon::gpu
