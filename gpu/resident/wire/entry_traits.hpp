// SPDX-License-Identifier: Apache-2.0
#pragma once
// Properties that a program gives its entries, and the structs whose entries they are, by static members.

namespace kaon::gpu {

/// Whether an entry goes before those that are not: `static constexpr bool kIsUrgent = true`.
template <class Entry>
constexpr bool is_urgent() {
  if constexpr (requires { Entry::kIsUrgent; }) return Entry::kIsUrgent;
  return false;
}

/// Whether an entry goes on by at.when(): `static constexpr bool kAwaitsFlags = true`.
template <class Entry>
constexpr bool awaits_flags() {
  if constexpr (requires { Entry::kAwaitsFlags; }) return Entry::kAwaitsFlags;
  return false;
}

/// Whether the bytes of an object stay as they are from make() on: `static constexpr bool kIsConstant = true` in it.
template <class Object>
constexpr bool is_constant() {
  if constexpr (requires { Object::kIsConstant; }) return Object::kIsConstant;
  return false;
}

/// Whether one warp runs the entries of an object, and not a whole block: `static constexpr bool kIsWarpSized = true`.
template <class Object>
constexpr bool is_warp_sized() {
  if constexpr (requires { Object::kIsWarpSized; }) return Object::kIsWarpSized;
  return false;
}

/// Whether the host may have an object for itself: `static constexpr bool kIsLockable = true`.
template <class Object>
constexpr bool is_lockable() {
  if constexpr (requires { Object::kIsLockable; }) return Object::kIsLockable;
  return false;
}

}  // namespace kaon::gpu
