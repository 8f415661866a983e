// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "kaon/runtime/archive/bindings.hpp"

// The members of an aggregate, found as Boost.PFR finds them, by trying how many initializers it takes. Not PFR itself:
// PFR does not know C arrays, and begins its search at 4 * sizeof(T) initializers, which makes a type that holds
// std::array<double, 4096> cost seconds of compile time.
namespace kaon::runtime::archive {

// C arrays swallow an initializer for each element: this many in all, members and array elements together.
inline constexpr std::size_t kMostInitializers = 256;

// Converts to any type, in initialisations that are never evaluated: the bodies are there because clang misses them
// where a constexpr constructor of std::optional could need them. Two overloads, because std::optional finds one alone
// ambiguous.
struct AnyValue {
  std::size_t position;
  template <class T>
  operator T&() const&& noexcept {
    __builtin_unreachable();
  }
  template <class T>
  operator T&() const& noexcept {
    __builtin_unreachable();
  }
};

struct AnyMovableValue {
  std::size_t position;
  template <class T>
  operator T() const&& noexcept {
    __builtin_unreachable();
  }
};

template <class T>
using AnyInitializer = std::conditional_t<std::is_copy_constructible_v<T>, AnyValue, AnyMovableValue>;

template <class T, std::size_t... I>
consteval bool takes(std::index_sequence<I...>) {
  return requires { T{AnyInitializer<T>{I}...}; };
}

template <class T, std::size_t... Before, std::size_t... After>
consteval bool takes_braces(std::index_sequence<Before...>, std::index_sequence<After...>) {
  return requires { T{AnyInitializer<T>{Before}..., {}, AnyInitializer<T>{After}...}; };
}

// The largest number of initializers that T takes. Members that cannot be left out (references) make small numbers fail
// first.
template <class T, std::size_t Count = 0, bool Found = false>
consteval std::size_t initializer_count() {
  if constexpr (Count > kMostInitializers) {
    return Found ? Count : 0;
  } else if constexpr (takes<T>(std::make_index_sequence<Count>{})) {
    return initializer_count<T, Count + 1, true>();
  } else if constexpr (Found) {
    return Count - 1;
  } else {
    return initializer_count<T, Count + 1, false>();
  }
}

// How many initializers the member that begins at `At` swallows: one `{}` stands for a whole C array, so fewer fit
// behind it.
template <class T, std::size_t Total, std::size_t At, std::size_t Width = 1>
consteval std::size_t field_width() {
  if constexpr (At + Width > Total) {
    return 1;
  } else if constexpr (takes_braces<T>(std::make_index_sequence<At>{},
                                       std::make_index_sequence<Total - At - Width>{})) {
    return Width;
  } else {
    return field_width<T, Total, At, Width + 1>();
  }
}

template <class T, std::size_t Total, std::size_t At = 0, std::size_t Fields = 0>
consteval std::size_t count_fields() {
  if constexpr (At >= Total) {
    return Fields;
  } else {
    return count_fields<T, Total, At + field_width<T, Total, At>(), Fields + 1>();
  }
}

template <class T, class Part>
consteval bool is_no_base() {
  static_assert(
      !std::is_base_of_v<Part, T> || std::is_same_v<std::remove_cv_t<Part>, T>,
      "a struct with a base class does not show its members: give it template <class Archive> void pup(Archive& ar)");
  return true;
}

template <class T>
struct AnyButBase {
  template <class Part, bool = is_no_base<T, Part>()>
  operator Part&() const noexcept {
    __builtin_unreachable();
  }
};

// A base class takes the first initializer; looking at it makes the sentence above appear.
template <class T, std::size_t... I>
consteval bool has_no_base(std::index_sequence<I...>) {
  if constexpr (std::is_copy_constructible_v<T>) {
    return requires { T{AnyButBase<T>{}, AnyValue{I}...}; };
  }
  return true;
}

// kMostFields + 1 means: members that cannot be bound.
template <class T>
consteval std::size_t find_field_count() {
  constexpr std::size_t kInitializers = initializer_count<T>();
  if constexpr (kInitializers > kMostInitializers || (kInitializers == 0 && !std::is_empty_v<T>)) {
    return kMostFields + 1;
  } else {
    if constexpr (kInitializers > 0) {
      static_cast<void>(has_no_base<T>(std::make_index_sequence<kInitializers - 1>{}));
    }
    return count_fields<T, kInitializers>();
  }
}

template <class T>
inline constexpr std::size_t field_count = find_field_count<T>();

// Calls visit(Types<declared types...>, members...).
template <class T, class Visit>
constexpr auto with_fields(T& value, Visit&& visit) {
  return Bindings<field_count<std::remove_const_t<T>>>::visit(value, visit);
}

template <class T>
using FieldTypes = decltype(with_fields(std::declval<T&>(), [](auto types, auto&...) { return types; }));

}  // namespace kaon::runtime::archive
