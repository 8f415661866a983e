// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <type_traits>

namespace kaon::chares {

/// Entries of a chare class, to say of them together what their messages are:
///
///   class Counter : public kaon::Chare<Counter> {
///    public:
///     void hit(int where);
///     using aggregated = kaon::Entries<&Counter::hit>;
///   };
template <auto... E>
struct Entries {
  template <auto Other>
  static constexpr bool contains =
      (std::is_same_v<std::integral_constant<decltype(E), E>, std::integral_constant<decltype(Other), Other>> || ...);
};

/// `using aggregated = kaon::Entries<...>` of the class: many small messages to these entries travel together, by way
/// of other PEs where there are many. See AggregatedEntry.
template <auto E, class C>
inline constexpr bool is_aggregated = [] {
  if constexpr (requires { typename C::aggregated; })
    return C::aggregated::template contains<E>;
  else
    return false;
}();

/// `using ordered = kaon::Entries<...>` of the class: what one element sends to another by these entries is run in the
/// order in which it was sent, also while both move. See OrderedEntry.
template <auto E, class C>
inline constexpr bool is_ordered = [] {
  if constexpr (requires { typename C::ordered; })
    return C::ordered::template contains<E>;
  else
    return false;
}();

}  // namespace kaon::chares
