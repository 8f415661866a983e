// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <concepts>
#include <iterator>
#include <type_traits>
#include <utility>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::chares {

namespace operations {

/// Throws UsageError: two maps were to be united that say different things of one key.
[[noreturn]] void throw_two_values();

template <class T>
concept Appendable =
    requires(T& a, T& b) { a.insert(a.end(), b.begin(), b.end()); } && !requires { typename T::key_type; };

template <class T>
concept UniqueKeys = requires(T& a, T& b) {
  typename T::key_type;
  a.merge(b);
  a.insert(a.extract(a.begin())).inserted;
};
template <class T>
concept UniqueSet = UniqueKeys<T> && std::same_as<typename T::key_type, typename T::value_type>;
template <class T>
concept UniqueMap = UniqueKeys<T> && requires { typename T::mapped_type; };

/// True if a goes before b: compares the first part of a pair or a tuple, and the whole of any other value.
struct Before {
  template <class T>
  static const auto& key(const T& value) {
    if constexpr (requires { value.first; })
      return value.first;
    else if constexpr (requires { get<0>(value); })
      return get<0>(value);
    else
      return value;
  }
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return key(a) < key(b);
  }
};

}  // namespace operations

/// Operations for call_all and contribute that gather what elements give. Appends vectors, strings and what has their
/// insert(), in any order of the elements; `merge_in_order` has one.
struct Concatenate {
  template <operations::Appendable T>
  T operator()(T a, T b) const {
    if (a.size() == 0) return b;
    a.insert(a.end(), std::make_move_iterator(b.begin()), std::make_move_iterator(b.end()));
    return a;
  }
};

/// Merges sequences that are in order, each, into one that is: of pairs and tuples by their first part, so that what
/// elements give as {{index(), value}} comes out by index; of other values by <.
struct MergeInOrder {
  template <operations::Appendable T>
  T operator()(T a, T b) const
    requires std::is_invocable_r_v<bool, operations::Before, typename T::value_type, typename T::value_type>
  {
    if (a.size() == 0) return b;
    if (b.size() == 0) return a;
    const bool is_in_order = !operations::Before{}(*b.begin(), *std::prev(a.end()));
    if (!is_in_order && operations::Before{}(*std::prev(b.end()), *a.begin())) std::swap(a, b);
    const auto count = std::distance(a.begin(), a.end());
    a.insert(a.end(), std::make_move_iterator(b.begin()), std::make_move_iterator(b.end()));
    std::inplace_merge(a.begin(), std::next(a.begin(), count), a.end(), operations::Before{});
    return a;
  }
};

/// The union of sets, or of maps: these must say the same of a key that they have in common, else a UsageError is
/// thrown where the result is awaited.
struct Unite {
  template <operations::UniqueSet T>
  T operator()(T a, T b) const {
    if (a.size() < b.size()) std::swap(a, b);
    a.merge(b);
    return a;
  }
  template <operations::UniqueMap T>
  T operator()(T a, T b) const
    requires std::equality_comparable<typename T::mapped_type>
  {
    if (a.size() < b.size()) std::swap(a, b);
    a.merge(b);
    for (const auto& [key, value] : b)  // what is left of it a has too
      if (!(a.find(key)->second == value)) operations::throw_two_values();
    return a;
  }
};

/// The union of maps whose values of one key Op combines.
template <class Op>
struct UniteBy {
  template <operations::UniqueMap T>
  T operator()(T a, T b) const
    requires std::is_invocable_r_v<typename T::mapped_type, Op, typename T::mapped_type, typename T::mapped_type>
  {
    if (a.size() < b.size()) std::swap(a, b);
    a.merge(b);
    for (auto& [key, value] : b) {
      auto& both = a.find(key)->second;
      both = Op{}(std::move(both), std::move(value));
    }
    return a;
  }
};

inline constexpr Concatenate concatenate;
inline constexpr MergeInOrder merge_in_order;
inline constexpr Unite unite;
template <class Op>
constexpr UniteBy<Op> unite_by(Op) {
  static_assert(std::is_empty_v<Op>, "unite_by(op): op has state, which other PEs do not have");
  return {};
}

}  // namespace kaon::chares
