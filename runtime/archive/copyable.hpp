// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <type_traits>

#include "kaon/runtime/archive/size.hpp"

namespace kaon::runtime {
namespace archive {

template <class T, class... Within>
consteval bool is_copyable();

template <class... Within, class... Part>
consteval bool are_copyable(Types<Part...>) {
  return (is_copyable<Part, Within...>() && ...);
}

// `Within` are the types being looked at already: a tree has a vector of itself.
template <class T, class... Within>
consteval bool is_copyable() {
  if constexpr ((std::is_same_v<T, Within> || ...)) {
    return true;
  } else if constexpr (!std::is_copy_constructible_v<T> && !std::is_array_v<T>) {
    return false;
  } else if constexpr (kind<T> == Kind::shared) {
    return false;  // copies would have one object, on several PEs
  } else {
    return are_copyable<T, Within...>(Parts<T>{});
  }
}

}  // namespace archive

/// True if a copy of a T compiles and shares nothing with the original. std::is_copy_constructible is not enough: a
/// vector says that it is copy constructible whatever its elements are.
template <class T>
inline constexpr bool is_copyable = archive::is_copyable<T>();

}  // namespace kaon::runtime
