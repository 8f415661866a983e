// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/backends/api.hpp"
#include "kaon/gpu/resident/wire/entry_traits.hpp"

namespace kaon::gpu {

/// Copies of constant objects in the memory that a worker's block shares: what is read at the start of each entry would
/// else come from far, because seeing a flag raised empties the cache that is near. Uninitialised.
struct KeptObjects {
  static constexpr std::uint32_t kCount = 4;
  static constexpr std::size_t kBytes = 1024;    // of the largest that is kept
  static constexpr std::size_t kAlignment = 16;  // of objects that are kept, at most
  alignas(kAlignment) std::uint32_t words[kCount][kBytes / sizeof(std::uint32_t)];
  const void* owners[kCount];  // nullptr: free
  std::uint32_t next;          // whose place the next one gets

  template <class Object>
  static constexpr bool keeps() {
    return is_constant<Object>() && sizeof(Object) <= kBytes && sizeof(Object) % sizeof(std::uint32_t) == 0 &&
           alignof(Object) <= kAlignment;
  }
  /// By one thread.
  KAON_DEVICE void clear() {
    for (const void*& owner : owners) owner = nullptr;
    next = 0;
  }
  /// The copy of an object, by all threads of the block.
  template <class Object, class Context>
  KAON_DEVICE const Object& copy_of(Context& at, const Object& object) {
    std::uint32_t place = 0;
    while (place < kCount && owners[place] != &object) ++place;
    if (place == kCount) {
      place = next;
      at.sync();  // all have looked
      const auto* const from = reinterpret_cast<const std::uint32_t*>(&object);
      const std::size_t first = at.threads().number(at.thread()), threads = at.threads().volume();
      for (std::size_t i = first; i < sizeof(Object) / sizeof(std::uint32_t); i += threads) words[place][i] = from[i];
      if (at.is_first()) owners[place] = &object, next = (place + 1) % kCount;
      at.sync();
    }
    return *reinterpret_cast<const Object*>(words[place]);
  }
};

}  // namespace kaon::gpu
