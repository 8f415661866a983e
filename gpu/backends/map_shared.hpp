// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

#include "kaon/runtime/base/sanitizers.hpp"

namespace kaon::gpu {

/// Maps part of a file for reading and writing, shared with all that map it; nullptr: it cannot be.
inline void* map_shared(int descriptor, std::uint64_t offset, std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, static_cast<off_t>(offset));
  if (memory == MAP_FAILED) return nullptr;
  runtime::forget_marks(memory, bytes);  // of a stack that lay there
  return memory;
}

}  // namespace kaon::gpu
