// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "kaon/gpu/backends/api.hpp"
#include "kaon/gpu/kernels/quad.hpp"

namespace kaon::gpu {

/// A cell that threads count or mark together.
template <class T>
concept FetchedCell = std::unsigned_integral<T> && (sizeof(T) == 4 || sizeof(T) == 8);

/// Atomics that return a value, for the contexts of all back ends. Each atomic acquires and releases, of its
/// scope: a thread sees what was written before the calls whose results its own result contains.
template <class Words>
class FetchingCells {
 public:
  /// Adds to the cell and returns the value before.
  template <FetchedCell T>
  KAON_DEVICE T fetch_add(T* cell, std::type_identity_t<T> by, Scope scope = Scope::device) {
    return Words::fetch_add(cell, by, scope);
  }
  /// Sets bits of the cell and returns the value before.
  template <FetchedCell T>
  KAON_DEVICE T fetch_or(T* cell, std::type_identity_t<T> bits, Scope scope = Scope::device) {
    return Words::fetch_or(cell, bits, scope);
  }
  /// True for the last of `n` calls. The counter is 0 before the first, and again when the last returns.
  KAON_DEVICE bool arrive(std::uint32_t* counter, std::uint32_t n, Scope scope = Scope::device) {
    if (Words::fetch_add(counter, std::uint32_t{1}, scope) + 1 != n) return false;
    Words::store(counter, std::uint32_t{0}, scope);
    return true;
  }
};

}  // namespace kaon::gpu
