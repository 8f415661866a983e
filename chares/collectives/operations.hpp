// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::chares {

namespace operations {

/// Throws UsageError: vectors are combined element by element, so both need one length.
[[noreturn]] void throw_different_lengths(std::size_t one, std::size_t other);

struct Add {
  template <class T>
  T operator()(T a, const T& b) const
    requires requires { static_cast<T>(std::move(a) + b); }
  {
    return static_cast<T>(std::move(a) + b);
  }
};
struct Multiply {
  template <class T>
  T operator()(T a, const T& b) const
    requires requires { static_cast<T>(std::move(a) * b); }
  {
    return static_cast<T>(std::move(a) * b);
  }
};
struct TakeLess {
  template <class T>
  T operator()(T a, const T& b) const
    requires requires { static_cast<bool>(b < a); }
  {
    return b < a ? b : std::move(a);
  }
};
struct TakeMore {
  template <class T>
  T operator()(T a, const T& b) const
    requires requires { static_cast<bool>(a < b); }
  {
    return a < b ? b : std::move(a);
  }
};

/// True if Step combines two values of T or, if T is a sequence, of its elements.
template <class T, class Step>
inline constexpr bool can_combine = std::is_invocable_r_v<T, Step, T, const T&>;
template <class T, class Allocator, class Step>
inline constexpr bool can_combine<std::vector<T, Allocator>, Step> = can_combine<T, Step>;
template <class T, std::size_t N, class Step>
inline constexpr bool can_combine<std::array<T, N>, Step> = can_combine<T, Step>;

template <class T>
inline constexpr bool is_sequence = false;
template <class T, class Allocator>
inline constexpr bool is_sequence<std::vector<T, Allocator>> = true;
template <class T, std::size_t N>
inline constexpr bool is_sequence<std::array<T, N>> = true;

template <class Step, class T>
T combine(T a, const T& b) {
  if constexpr (is_sequence<T>) {
    using Element = typename T::value_type;  // which a[i] of a vector<bool> is not
    if (a.size() != b.size()) throw_different_lengths(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = combine<Step, Element>(std::move(a[i]), b[i]);
    return a;
  } else {
    return Step{}(std::move(a), b);
  }
}

/// Takes part in overload resolution for what it can combine only, so that a use of it is refused where it was made.
template <class Step>
struct Operation {
  template <class T>
    requires can_combine<T, Step>
  T operator()(T a, const T& b) const {
    return combine<Step>(std::move(a), b);
  }
};

}  // namespace operations

/// Operations for call_all and contribute: of numbers, of what has their operator, and, element by element, of vectors
/// of one length and arrays of these. A user's own is such a type: no state, any order of the results.
struct Sum : operations::Operation<operations::Add> {};
struct Product : operations::Operation<operations::Multiply> {};
struct Min : operations::Operation<operations::TakeLess> {};
struct Max : operations::Operation<operations::TakeMore> {};

inline constexpr Sum sum;
inline constexpr Product product;
inline constexpr Min min;
inline constexpr Max max;

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
/// The exclusive or: true if an odd number of the values are true.
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
