// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <type_traits>

#include "kaon/chares/entries/entry_traits.hpp"

namespace kaon::chares {
namespace entry_properties {

/// The name of the member E without its class, as compilers spell it at the end of this function's name.
template <auto E>
consteval std::string_view member_name() {
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find("E = ") + 4);
  text = text.substr(0, text.find_first_of(";]"));
  return text.substr(text.rfind(':') + 1);
}

template <auto E>
using ClassOf = typename EntryTraits<decltype(E)>::Chare;

/// True if E is Other, or a method of a derived class that takes the place of Other.
template <auto Other, auto E>
inline constexpr bool is_or_overrides = [] {
  using Theirs = EntryTraits<decltype(Other)>;
  using Own = EntryTraits<decltype(E)>;
  // By types: under a sanitizer g++ 12 does not compare such pointers in constant expressions.
  if constexpr (std::is_same_v<decltype(Other), decltype(E)>)
    return std::is_same_v<std::integral_constant<decltype(Other), Other>, std::integral_constant<decltype(E), E>>;
  else if constexpr (!Own::is_entry || !Theirs::is_entry)
    return false;
  else if constexpr (std::is_base_of_v<typename Theirs::Chare, typename Own::Chare> &&
                     std::is_same_v<typename Theirs::Arguments, typename Own::Arguments>)
    return member_name<Other>() == member_name<E>();
  else
    return false;
}();

}  // namespace entry_properties

/// Entries of a chare class, to say of them together what their messages are:
///
///   class Counter : public kaon::Chare<Counter> {
///    public:
///     void hit(int where);
///     using aggregated = kaon::Entries<&Counter::hit>;
///   };
///
/// Entries of a base class are what that one says of them. A method that overrides one is what the base says of that,
/// unless its class has a list of its own, which then has to name it.
template <auto... E>
struct Entries {
  template <auto Other>
  static constexpr bool contains = (entry_properties::is_or_overrides<E, Other> || ...);

  /// Says in a sentence what is wrong with a list of class C.
  template <class C>
  static consteval bool are_of() {
    constexpr bool kAreEntries = (is_entry_of<E, C> && ...);
    static_assert(kAreEntries,
                  "aggregated = kaon::Entries<...>, ordered = kaon::Entries<...>: each is an entry of the "
                  "class that says so, or of a base of it");
    return kAreEntries;
  }
};

namespace entry_properties {

template <class C>
using Aggregated = typename C::aggregated;
template <class C>
using Ordered = typename C::ordered;

/// True if such a list has E: the one of the element's class, or of the class that E names.
template <template <class> class List, auto E, class C>
inline constexpr bool is_listed = [] {
  using Named = ClassOf<E>;
  bool is_there = false;
  if constexpr (requires { typename List<C>; })
    is_there = List<C>::template are_of<C>() && List<C>::template contains<E>;
  if constexpr (requires { typename List<Named>; }) is_there |= List<Named>::template contains<E>;
  return is_there;
}();

}  // namespace entry_properties

/// `using aggregated = kaon::Entries<...>` of the class: many small messages to these entries travel together, by way
/// of other PEs where there are many. See AggregatedEntry.
template <auto E, class C>
inline constexpr bool is_aggregated = entry_properties::is_listed<entry_properties::Aggregated, E, C>;

/// `using ordered = kaon::Entries<...>` of the class: what one element sends to another by these entries is run in the
/// order in which it was sent, also while both move. See OrderedEntry.
template <auto E, class C>
inline constexpr bool is_ordered = entry_properties::is_listed<entry_properties::Ordered, E, C>;

}  // namespace kaon::chares
