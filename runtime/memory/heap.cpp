// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/memory/heap.hpp"

#include <cstdlib>
#include <initializer_list>
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace kaon::runtime {

void keep_freed_memory() noexcept {
#if defined(__GLIBC__)
  constexpr int kMostInHeap = 32 << 20;   // bytes; larger blocks are mapped each by itself. The library's own maximum
  constexpr int kMostUnused = 256 << 20;  // bytes at the end of a heap
  for (const char* choice : {"GLIBC_TUNABLES", "MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"})
    if (std::getenv(choice) != nullptr) return;
  mallopt(M_MMAP_THRESHOLD, kMostInHeap);
  mallopt(M_TRIM_THRESHOLD, kMostUnused);
#endif
}

}  // namespace kaon::runtime
