// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <type_traits>

#include "kaon/gpu/backends/api.hpp"

namespace kaon::gpu {

/// A value that threads of a block exchange in sum(), min(), max() and scans: a number of 4 or 8 bytes.
template <class T>
concept BlockValue = std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8);

/// Memory of a block whose size the launch says: `float* row = at.dynamic_shared();`. Aligned to 16 bytes,
/// uninitialised.
class DynamicShared {
 public:
  KAON_DEVICE explicit DynamicShared(void* memory) : memory_(memory) {}
  template <class T>
  KAON_DEVICE operator T*() const {
    return static_cast<T*>(memory_);
  }

 private:
  void* memory_;
};

}  // namespace kaon::gpu
