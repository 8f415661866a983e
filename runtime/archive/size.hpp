// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "kaon/runtime/archive/fields.hpp"
#include "kaon/runtime/archive/kind.hpp"

// How many bytes a type takes when packed, as far as the type alone tells. Members are packed one after the other
// without padding.
namespace kaon::runtime::archive {

template <class T, std::size_t... I>
Types<std::tuple_element_t<I, T>...> tuple_types(std::index_sequence<I...>);
template <template <class...> class Variant, class... T>
Types<T...> variant_types(const Variant<T...>&);

template <class T>
struct ElementOf {
  using Type = typename T::value_type;
};
template <class T, std::size_t Count>
struct ElementOf<T[Count]> {
  using Type = T;
};
template <class T>
using Element = typename ElementOf<T>::Type;

template <class T>
consteval std::size_t array_size() {
  if constexpr (std::is_array_v<T>) {
    return std::extent_v<T>;
  } else {
    return std::tuple_size_v<T>;
  }
}

// Asks for the number of members only where T is an aggregate of our own to look into: finding it compiles slowly.
template <class T>
consteval bool has_fields() {
  if constexpr (kind<T> == Kind::fields) {
    return find_look<T>() == Look::members;
  } else {
    return false;
  }
}

// What a pointer to an X points to for sure: an X that has virtual functions may be of a class derived from it.
template <class X>
consteval auto pointed_to() {
  if constexpr (std::is_polymorphic_v<X> && (std::is_abstract_v<X> || !std::is_default_constructible_v<X>)) {
    return Types<>{};
  } else {
    return Types<X>{};
  }
}

// The types of which a T consists.
template <class T>
consteval auto find_parts() {
  constexpr Kind kKind = kind<T>;
  if constexpr (kKind == Kind::array || kKind == Kind::sequence || kKind == Kind::optional) {
    return Types<Element<T>>{};
  } else if constexpr (kKind == Kind::set) {
    return Types<typename T::key_type>{};
  } else if constexpr (kKind == Kind::map) {
    return Types<typename T::key_type, typename T::mapped_type>{};
  } else if constexpr (kKind == Kind::variant) {
    return decltype(variant_types(std::declval<T&>())){};
  } else if constexpr (kKind == Kind::tuple) {
    return decltype(tuple_types<T>(std::make_index_sequence<std::tuple_size_v<T>>{})){};
  } else if constexpr (kKind == Kind::unique || kKind == Kind::shared) {
    return pointed_to<std::remove_const_t<typename T::element_type>>();
  } else if constexpr (kKind == Kind::duration) {
    return Types<typename T::rep>{};
  } else if constexpr (kKind == Kind::time_point) {
    return Types<typename T::duration>{};
  } else if constexpr (has_fields<T>()) {
    return FieldTypes<T>{};
  } else {
    return Types<>{};
  }
}
template <class T>
using Parts = decltype(find_parts<T>());

inline constexpr std::size_t kVaries = SIZE_MAX;

template <class T>
consteval std::size_t find_fixed_size();
template <class T>
inline constexpr std::size_t fixed_size = find_fixed_size<T>();
template <class T>
inline constexpr bool has_fixed_size = fixed_size<T> != kVaries;

template <class... T>
consteval std::size_t sum_fixed_sizes(Types<T...>) {
  if constexpr ((has_fixed_size<T> && ...)) {
    return (fixed_size<T> + ... + 0);
  } else {
    return kVaries;
  }
}

template <class T>
consteval std::size_t find_fixed_size() {
  constexpr Kind kKind = kind<T>;
  if constexpr (kKind == Kind::bits || kKind == Kind::boolean) {
    return sizeof(T);
  } else if constexpr (kKind == Kind::bitset) {
    return (T{}.size() + 7) / 8;
  } else if constexpr (kKind == Kind::array) {
    return has_fixed_size<Element<T>> ? array_size<T>() * fixed_size<Element<T>> : kVaries;
  } else if constexpr (kKind == Kind::duration || kKind == Kind::time_point || kKind == Kind::tuple) {
    return sum_fixed_sizes(Parts<T>{});
  } else if constexpr (has_fields<T>()) {
    return sum_fixed_sizes(Parts<T>{});
  } else {
    return kVaries;
  }
}

template <class T>
consteval std::size_t find_least_size();
// No value of T takes fewer bytes; 0 where user code decides. What bounds a claimed number of elements.
template <class T>
inline constexpr std::size_t least_size = find_least_size<T>();

template <class... T>
consteval std::size_t sum_least_sizes(Types<T...>) {
  return (least_size<T> + ... + 0);
}

template <class T>
consteval std::size_t find_least_size() {
  constexpr Kind kKind = kind<T>;
  if constexpr (has_fixed_size<T>) {
    return fixed_size<T>;
  } else if constexpr (kKind == Kind::sequence || kKind == Kind::bit_vector || kKind == Kind::set ||
                       kKind == Kind::map) {
    return sizeof(std::uint64_t);
  } else if constexpr (kKind == Kind::optional || kKind == Kind::variant || kKind == Kind::unique) {
    return 1;
  } else if constexpr (kKind == Kind::shared) {
    return sizeof(std::uint32_t);
  } else if constexpr (kKind == Kind::array) {
    return array_size<T>() * least_size<Element<T>>;
  } else {
    return sum_least_sizes(Parts<T>{});
  }
}

// Bytes of memory that one byte of a message may become: what is claimed of containers is bounded by the bytes that
// are there, also where large elements are packed in few. (Nodes and blocks of containers come on top.)
inline constexpr std::size_t kMostGrowth = 64;

// The bytes that an element, of these types together, takes at least in a container, which is padded to that.
template <class... T>
consteval std::size_t find_least_share(Types<T...> parts) {
  constexpr std::size_t kBySize = ((sizeof(T) + ...) + kMostGrowth - 1) / kMostGrowth;
  const std::size_t least = sum_least_sizes(parts);
  return least > kBySize ? least : kBySize;
}
template <class P>
inline constexpr std::size_t least_share = find_least_share(P{});
template <class P>
inline constexpr bool is_padded = least_share<P> > sum_least_sizes(P{});

template <class P, class Out>
void pad_elements(Out& out, std::size_t start, std::size_t count) {
  if constexpr (is_padded<P>) {
    out.pad(start + count * least_share<P>);
  }
}

template <class T>
consteval bool find_is_bitwise();
// Packed form = form in memory, and every bit pattern is a value (so not bool): many of them move as one memcpy.
template <class T>
inline constexpr bool is_bitwise = find_is_bitwise<T>();

template <class... T>
consteval bool are_bitwise(Types<T...>) {
  return (is_bitwise<T> && ...);
}

template <class T>
consteval bool find_is_bitwise() {
  constexpr Kind kKind = kind<T>;
  if constexpr (kKind == Kind::bits) {
    return true;
  } else if constexpr (!std::is_trivially_copyable_v<T>) {
    return false;
  } else if constexpr (kKind == Kind::array || kKind == Kind::duration || kKind == Kind::time_point ||
                       kKind == Kind::fields) {
    return fixed_size<T> == sizeof(T) && are_bitwise(Parts<T>{});
  } else {
    return false;
  }
}

}  // namespace kaon::runtime::archive

namespace kaon::runtime {

// The bytes that any T takes when packed, or 0 when that depends on the value (and for types without members).
template <class T>
inline constexpr std::size_t packed_size_if_fixed =
    archive::has_fixed_size<std::remove_cv_t<T>> ? archive::fixed_size<std::remove_cv_t<T>> : 0;

}  // namespace kaon::runtime
