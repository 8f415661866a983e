// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/ampi_shim/datatypes/number.hpp"

namespace kaon::ampi {

/// One loop for all operations, which the compiler makes vectors of. The two arrays are different memory: MPI forbids
/// that they overlap.
template <class T, class Function>
void reduce_loop(const void* in, void* inout, std::int64_t count) {
  const T* __restrict from = static_cast<const T*>(in);
  T* __restrict into = static_cast<T*>(inout);
  for (std::int64_t i = 0; i < count; ++i) into[i] = Function::template of<T>(from[i], into[i]);
}

template <class T>
inline constexpr bool kIsInteger = static_cast<T>(1) / 2 == T{};  // also of those that the library's traits leave out

// Integers overflow as the processor's do: they are added as unsigned ones. Those shorter than int become int first.
template <class T>
struct Wrapping {
  using Type = T;
};
template <>
struct Wrapping<std::int16_t> {
  using Type = std::uint32_t;
};
template <>
struct Wrapping<std::uint16_t> {
  using Type = std::uint32_t;
};
template <>
struct Wrapping<std::int32_t> {
  using Type = std::uint32_t;
};
template <>
struct Wrapping<std::int64_t> {
  using Type = std::uint64_t;
};
template <>
struct Wrapping<Int128> {
  using Type = Uint128;
};

struct Sum {
  template <class T>
  static T of(T a, T b) {
    using Wide = typename Wrapping<T>::Type;
    return static_cast<T>(static_cast<Wide>(a) + static_cast<Wide>(b));
  }
};
struct Product {
  template <class T>
  static T of(T a, T b) {
    using Wide = typename Wrapping<T>::Type;
    return static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b));
  }
};
struct Maximum {
  template <class T>
  static T of(T a, T b) {
    return a > b ? a : b;
  }
};
struct Minimum {
  template <class T>
  static T of(T a, T b) {
    return a < b ? a : b;
  }
};
struct LogicalAnd {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>((a != T{}) & (b != T{}));
  }
};
struct LogicalOr {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>((a != T{}) | (b != T{}));
  }
};
struct LogicalXor {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>((a != T{}) ^ (b != T{}));
  }
};
struct BitAnd {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct BitOr {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct BitXor {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct Replacement {
  template <class T>
  static T of(T a, T) {
    return a;
  }
};

}  // namespace kaon::ampi
