// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#endif
#endif

namespace kaon::gpu {

/// Maps part of a file for reading and writing, shared with all that map it; nullptr: it cannot be.
inline void* map_shared(int descriptor, std::uint64_t offset, std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, static_cast<off_t>(offset));
  if (memory == MAP_FAILED) return nullptr;
#if defined(ASAN_UNPOISON_MEMORY_REGION)
  ASAN_UNPOISON_MEMORY_REGION(memory, bytes);  // a stack that lay there may have left its marks
#endif
  return memory;
}

}  // namespace kaon::gpu
