// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "kaon/runtime/archive/user.hpp"

// A pup that leaves a member out compiles, and the member has its default where it arrives. Of plain classes the bytes
// tell: those of the copy are those of the value, but for padding.
namespace kaon::runtime::archive {

#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
#define KAON_CLEARS_PADDING 1
#endif
#endif
#ifndef KAON_CLEARS_PADDING
#define KAON_CLEARS_PADDING 0
#endif

/// Warns of the class, once. `rendering` is the compiler's of a function with the template parameter T.
void warn_lost_members(std::string_view rendering, std::size_t first_byte);

/// True if a user's code serializes T and comparing bytes shows whether two values are equal.
template <class T>
inline constexpr bool are_bytes_compared =
    std::is_class_v<T> && std::is_trivially_copyable_v<T> && user_code<T> != UserCode::none &&
    user_code<T> != UserCode::base && (KAON_CLEARS_PADDING || std::has_unique_object_representations_v<T>);

template <class T>
std::array<std::byte, sizeof(T)> bytes_of(const T& value) {
  alignas(T) std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), &value, sizeof(T));
#if KAON_CLEARS_PADDING
  __builtin_clear_padding(reinterpret_cast<T*>(bytes.data()));
#endif
  return bytes;
}

template <class T>
inline constexpr bool has_compared_bytes = are_bytes_compared<T>;
template <class T, class A>
inline constexpr bool has_compared_bytes<std::vector<T, A>> = are_bytes_compared<T>;

/// The first byte in which a copy differs from its value, but for padding; nothing: none does.
template <class T>
std::optional<std::size_t> first_lost_byte(const T& value, const T& copy) {
  const auto before = bytes_of(value), after = bytes_of(copy);
  for (std::size_t i = 0; i < sizeof(T); ++i)
    if (before[i] != after[i]) return i;
  return {};
}

/// Warns if what a value was packed to was not all of it; `copy` was unpacked from that.
template <class T>
void check_lost_members(const T& value, const T& copy) {
  if constexpr (are_bytes_compared<T>)
    if (const auto lost = first_lost_byte(value, copy)) warn_lost_members(__PRETTY_FUNCTION__, *lost);
}
template <class T, class A>
void check_lost_members(const std::vector<T, A>& value, const std::vector<T, A>& copy) {
  if constexpr (are_bytes_compared<T>)
    for (std::size_t i = 0; i < value.size() && i < copy.size(); ++i) check_lost_members(value[i], copy[i]);
}

}  // namespace kaon::runtime::archive
