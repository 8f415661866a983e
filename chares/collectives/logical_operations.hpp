// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <type_traits>
#include <utility>

#include "kaon/chares/collectives/operations.hpp"

namespace kaon::chares {

namespace operations {

template <class T>
concept TruthValue = std::is_arithmetic_v<T>;

struct AndAlso {
  template <TruthValue T>
  T operator()(T a, const T& b) const {
    return static_cast<T>(static_cast<bool>(a) && static_cast<bool>(b));
  }
};
struct OrElse {
  template <TruthValue T>
  T operator()(T a, const T& b) const {
    return static_cast<T>(static_cast<bool>(a) || static_cast<bool>(b));
  }
};
struct EitherOr {
  template <TruthValue T>
  T operator()(T a, const T& b) const {
    return static_cast<T>(static_cast<bool>(a) != static_cast<bool>(b));
  }
};

struct KeepCommonBits {
  template <class T>
  T operator()(T a, const T& b) const
    requires requires { static_cast<T>(std::move(a) & b); }
  {
    return static_cast<T>(std::move(a) & b);
  }
};
struct KeepAllBits {
  template <class T>
  T operator()(T a, const T& b) const
    requires requires { static_cast<T>(std::move(a) | b); }
  {
    return static_cast<T>(std::move(a) | b);
  }
};
struct FlipBits {
  template <class T>
  T operator()(T a, const T& b) const
    requires requires { static_cast<T>(std::move(a) ^ b); }
  {
    return static_cast<T>(std::move(a) ^ b);
  }
};

}  // namespace operations

/// Operations for call_all and contribute. Logical: of bool and numbers, which are true unless 0; the result is 0 or 1
/// when there are at least two values. Bitwise: of what has the operator. Element by element as kaon::sum is.
struct LogicalAnd : operations::Operation<operations::AndAlso> {};
struct LogicalOr : operations::Operation<operations::OrElse> {};
/// Whether an odd number of the values are true.
struct LogicalXor : operations::Operation<operations::EitherOr> {};
struct BitwiseAnd : operations::Operation<operations::KeepCommonBits> {};
struct BitwiseOr : operations::Operation<operations::KeepAllBits> {};
struct BitwiseXor : operations::Operation<operations::FlipBits> {};

inline constexpr LogicalAnd logical_and;
inline constexpr LogicalOr logical_or;
inline constexpr LogicalXor logical_xor;
inline constexpr BitwiseAnd bitwise_and;
inline constexpr BitwiseOr bitwise_or;
inline constexpr BitwiseXor bitwise_xor;

}  // namespace kaon::chares
