// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace kaon::chares {

namespace operations {

template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t N>
inline constexpr bool is_array<std::array<T, N>> = true;

/// Arrays are combined element by element.
template <class T, class Op>
T combine(T a, const T& b, Op op) {
  if constexpr (is_array<T>) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = combine(std::move(a[i]), b[i], op);
    return a;
  } else {
    return op(std::move(a), b);
  }
}

}  // namespace operations

/// Operations for call_all and contribute. A user's own is such a type: no state, any order of the results.
struct Sum {
  template <class T>
  T operator()(T a, const T& b) const {
    return operations::combine(std::move(a), b, [](auto x, const auto& y) { return static_cast<decltype(x)>(x + y); });
  }
};
struct Product {
  template <class T>
  T operator()(T a, const T& b) const {
    return operations::combine(std::move(a), b, [](auto x, const auto& y) { return static_cast<decltype(x)>(x * y); });
  }
};
struct Min {
  template <class T>
  T operator()(T a, const T& b) const {
    return operations::combine(std::move(a), b, [](auto x, const auto& y) { return y < x ? y : x; });
  }
};
struct Max {
  template <class T>
  T operator()(T a, const T& b) const {
    return operations::combine(std::move(a), b, [](auto x, const auto& y) { return x < y ? y : x; });
  }
};

inline constexpr Sum sum;
inline constexpr Product product;
inline constexpr Min min;
inline constexpr Max max;

}  // namespace kaon::chares
