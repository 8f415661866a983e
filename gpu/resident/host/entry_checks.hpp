// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <type_traits>

#include "kaon/gpu/resident/device/device_entries.hpp"
#include "kaon/runtime/archive/size.hpp"

// What the host's compiler says of entries that a device could not run.
namespace kaon::gpu {

template <class Value>
consteval bool points_to_host();

/// True for functions and for types that are not trivially copyable: a pointer to one is of no use on a device.
template <class Object>
consteval bool is_of_host() {
  if constexpr (std::is_function_v<Object>) return true;
  if constexpr (requires { sizeof(Object); }) return !std::is_trivially_copyable_v<Object>;
  return false;  // nobody knows yet
}
template <class... Part>
consteval bool one_points_to_host(runtime::archive::Types<Part...>) {
  return (points_to_host<Part>() || ...);
}
template <class Value>
consteval bool points_to_host() {
  if constexpr (std::is_pointer_v<Value>)
    return is_of_host<std::remove_cv_t<std::remove_pointer_t<Value>>>();
  else
    return one_points_to_host(runtime::archive::Parts<Value>{});
}

template <class Entry>
consteval bool is_fit() {
  static_assert(FitsCommand<Entry>,
                "the arguments of an entry of a device are trivially copyable, and 32 bytes at most: put more into the "
                "memory of the object");
  if constexpr (FitsCommand<Entry>)
    static_assert(!points_to_host<Entry>(),
                  "an argument of an entry of a device points to an object of the host, a class that is not trivially "
                  "copyable: give what a device can read, or a HostTarget");
  return true;
}
/// Each entry of a list.
template <unsigned use, class... Entry>
consteval bool are_fit(const EntryList<use, Entry...>*) {
  return (is_fit<Entry>() && ...);
}

}  // namespace kaon::gpu
