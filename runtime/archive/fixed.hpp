// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <utility>

#include "kaon/runtime/archive/corrupt.hpp"
#include "kaon/runtime/archive/size.hpp"

// Values whose packed size the type tells: one bounds check, made by the caller for all of them, then plain stores and
// loads.
namespace kaon::runtime::archive {

template <class T>
std::byte* place(std::byte* at, const T& value);
template <class T>
const std::byte* fetch(const std::byte* at, T& value);

template <class Bitset>
std::byte* place_bitset(std::byte* at, const Bitset& bits) {
  std::memset(at, 0, fixed_size<Bitset>);
  for (std::size_t i = 0; i != bits.size(); ++i) {
    at[i / 8] |= std::byte{bits.test(i)} << (i % 8);
  }
  return at + fixed_size<Bitset>;
}

template <class Bitset>
const std::byte* fetch_bitset(const std::byte* at, Bitset& bits) {
  for (std::size_t i = 0; i != bits.size(); ++i) {
    bits.set(i, (at[i / 8] >> (i % 8) & std::byte{1}) != std::byte{});
  }
  return at + fixed_size<Bitset>;
}

inline const std::byte* fetch_bool(const std::byte* at, bool& value) {
  if (*at > std::byte{1}) [[unlikely]] {
    throw_value("a bool that is neither true nor false");
  }
  value = *at == std::byte{1};
  return at + 1;
}

template <class T, std::size_t... I>
std::byte* place_tuple(std::byte* at, const T& value, std::index_sequence<I...>) {
  ((at = place(at, get<I>(value))), ...);
  return at;
}

template <class T, std::size_t... I>
const std::byte* fetch_tuple(const std::byte* at, T& value, std::index_sequence<I...>) {
  ((at = fetch(at, get<I>(value))), ...);
  return at;
}

template <class T>
std::byte* place(std::byte* at, const T& value) {
  constexpr Kind kKind = kind<T>;
  if constexpr (fixed_size<T> == 0) {
    return at;
  } else if constexpr (is_bitwise<T>) {
    std::memcpy(at, &value, sizeof(T));
    return at + sizeof(T);
  } else if constexpr (kKind == Kind::boolean) {
    *at = std::byte{value};
    return at + 1;
  } else if constexpr (kKind == Kind::duration || kKind == Kind::time_point) {
    return place(at, time_count(value));
  } else if constexpr (kKind == Kind::bitset) {
    return place_bitset(at, value);
  } else if constexpr (kKind == Kind::tuple) {
    return place_tuple(at, value, std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr (kKind == Kind::array) {
    for (const auto& element : value) {
      at = place(at, element);
    }
    return at;
  } else {
    with_fields(value, [&](auto, const auto&... field) { ((at = place(at, field)), ...); });
    return at;
  }
}

template <class T>
const std::byte* fetch(const std::byte* at, T& value) {
  constexpr Kind kKind = kind<T>;
  if constexpr (fixed_size<T> == 0) {
    return at;
  } else if constexpr (is_bitwise<T>) {
    std::memcpy(static_cast<void*>(&value), at, sizeof(T));
    return at + sizeof(T);
  } else if constexpr (kKind == Kind::boolean) {
    return fetch_bool(at, value);
  } else if constexpr (kKind == Kind::duration || kKind == Kind::time_point) {
    TimeCount<T> count{};
    at = fetch(at, count);
    value = T(count);
    return at;
  } else if constexpr (kKind == Kind::bitset) {
    return fetch_bitset(at, value);
  } else if constexpr (kKind == Kind::tuple) {
    return fetch_tuple(at, value, std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr (kKind == Kind::array) {
    for (auto& element : value) {
      at = fetch(at, element);
    }
    return at;
  } else {
    with_fields(value, [&](auto, auto&... field) { ((at = fetch(at, field)), ...); });
    return at;
  }
}

}  // namespace kaon::runtime::archive
