// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/backends/api.hpp"

namespace kaon::gpu {

/// Tells the compiler that a pointer leads to memory of a device or of the host, not to memory that a block shares: one
/// that a kernel has read from shared memory, as out of a constant object, could lead anywhere, and each access by it
/// asks where.
template <class T>
KAON_DEVICE inline T* in_device_memory(T* pointer) {
#if defined(KAON_DEVICE_COMPILER)
  vendor::assume_global(pointer);
#endif
  return pointer;
}

}  // namespace kaon::gpu
