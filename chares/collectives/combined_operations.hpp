// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kaon/chares/elements/index.hpp"

namespace kaon::chares {

/// A value and where it is: for min_location and max_location.
template <class T, class I = Index>
struct Located {
  T value{};
  I where{};

  bool operator==(const Located&) const = default;
};
template <class T, class I>
Located(T, I) -> Located<T, I>;

namespace operations {

template <bool kTakesGreatest>
struct TakeLocated {
  template <class T, class I>
  Located<T, I> operator()(Located<T, I> a, Located<T, I> b) const
    requires requires {
      static_cast<bool>(a.value < b.value);
      static_cast<bool>(a.where < b.where);
    }
  {
    const auto& [first, second] = kTakesGreatest ? std::tie(b, a) : std::tie(a, b);
    if (second.value < first.value) return b;
    if (first.value < second.value) return a;
    if (b.where < a.where) return b;
    return a;
  }
};

}  // namespace operations

/// Operations for call_all and contribute: the least, or greatest, of Located values; of equal ones that whose place is
/// least, so that the result does not depend on the order of the elements.
struct MinLocation : operations::TakeLocated<false> {};
struct MaxLocation : operations::TakeLocated<true> {};

/// Combines tuples, or pairs, part by part, each by an operation of its own.
template <class... Op>
struct CombineEach {
  template <class... T>
  std::tuple<T...> operator()(std::tuple<T...> a, std::tuple<T...> b) const
    requires(sizeof...(T) == sizeof...(Op)) && (std::is_invocable_r_v<T, Op, T, T> && ...)
  {
    return combine(std::move(a), std::move(b), std::index_sequence_for<T...>{});
  }
  template <class First, class Second>
  std::pair<First, Second> operator()(std::pair<First, Second> a, std::pair<First, Second> b) const
    requires std::is_invocable_v<const CombineEach&, std::tuple<First, Second>, std::tuple<First, Second>>
  {
    return combine(std::move(a), std::move(b), std::index_sequence<0, 1>{});
  }

 private:
  template <class Values, std::size_t... I>
  static Values combine(Values a, Values b, std::index_sequence<I...>) {
    return Values{Op{}(std::move(std::get<I>(a)), std::move(std::get<I>(b)))...};
  }
};

inline constexpr MinLocation min_location;
inline constexpr MaxLocation max_location;

/// `combine_each(kaon::sum, kaon::max)` of std::tuple<int, double>.
template <class... Op>
constexpr CombineEach<Op...> combine_each(Op...) {
  static_assert((std::is_empty_v<Op> && ...), "combine_each(op, ...): an op has state, which other PEs do not have");
  return {};
}

}  // namespace kaon::chares
