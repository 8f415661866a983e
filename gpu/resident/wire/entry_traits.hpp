// SPDX-License-Identifier: Apache-2.0
#pragma once
// Properties that a program gives its entries, and the structs whose entries they are, by static members.

namespace kaon::gpu {

/// True if an entry goes before those that are not urgent: `static constexpr bool kIsUrgent = true`.
template <class Entry>
constexpr bool is_urgent() {
  if constexpr (requires { Entry::kIsUrgent; }) return Entry::kIsUrgent;
  return false;
}

/// True if an entry goes on by at.when(): `static constexpr bool kAwaitsFlags = true`.
template <class Entry>
constexpr bool awaits_flags() {
  if constexpr (requires { Entry::kAwaitsFlags; }) return Entry::kAwaitsFlags;
  return false;
}

/// True if the bytes of an object do not change after make(): `static constexpr bool kIsConstant = true` in it.
template <class Object>
constexpr bool is_constant() {
  if constexpr (requires { Object::kIsConstant; }) return Object::kIsConstant;
  return false;
}

/// True if one warp runs the entries of an object, and not a whole block: `static constexpr bool kIsWarpSized = true`.
template <class Object>
constexpr bool is_warp_sized() {
  if constexpr (requires { Object::kIsWarpSized; }) return Object::kIsWarpSized;
  return false;
}

/// True if the host may have an object for itself: `static constexpr bool kIsLockable = true`.
template <class Object>
constexpr bool is_lockable() {
  if constexpr (requires { Object::kIsLockable; }) return Object::kIsLockable;
  return false;
}

}  // namespace kaon::gpu
