// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "kaon/runtime/archive/bindings.hpp"

// The members of an aggregate, found by trying what initializes it. Not with Boost.PFR: that does not know C arrays,
// and begins its search at 4 * sizeof(T) initializers, which makes a type that holds std::array<double, 4096> cost
// seconds of compile time.
namespace kaon::runtime::archive {

// Whether T takes Count times {} and these behind them. {} initializes any member, a C array as a whole.
template <std::size_t Count>
struct Fits;

// clang-format off
template <> struct Fits<0> { template <class T, class... Last> static constexpr bool value =
    requires { T{Last{}...}; }; };
template <> struct Fits<1> { template <class T, class... Last> static constexpr bool value =
    requires { T{{}, Last{}...}; }; };
template <> struct Fits<2> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{}, Last{}...}; }; };
template <> struct Fits<3> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{}, Last{}...}; }; };
template <> struct Fits<4> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{}, Last{}...}; }; };
template <> struct Fits<5> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<6> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<7> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<8> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<9> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<10> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<11> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<12> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<13> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<14> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<15> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<16> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<17> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<18> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<19> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<20> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<21> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<22> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<23> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<24> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<25> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<26> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<27> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<28> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<29> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<30> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<31> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
template <> struct Fits<32> { template <class T, class... Last> static constexpr bool value =
    requires { T{{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}, Last{}...}; }; };
// clang-format on

// Converts to any type, in initialisations that are never evaluated: the bodies are there because clang misses them
// where a constexpr constructor of std::optional could need them. Two overloads, because std::optional finds one alone
// ambiguous.
struct AnyValue {
  std::size_t position = 0;
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
  std::size_t position = 0;
  template <class T>
  operator T() const&& noexcept {
    __builtin_unreachable();
  }
};

template <class T>
using AnyInitializer = std::conditional_t<std::is_copy_constructible_v<T>, AnyValue, AnyMovableValue>;

// Stand for any base class of T, with or without members, and for any union.
template <class T, bool IsEmpty>
struct AnyBase {
  template <class Base>
    requires(std::is_base_of_v<Base, T> && !std::is_same_v<Base, T> && std::is_empty_v<Base> == IsEmpty)
  operator Base() const noexcept {
    __builtin_unreachable();
  }
};
struct AnyUnion {
  template <class Union>
    requires std::is_union_v<Union>
  operator Union() const noexcept {
    __builtin_unreachable();
  }
};

// Whether what stands behind `At` members is of the sort. Some classes are made of anything, also of what is nothing.
struct Nothing {};
template <class T, std::size_t At, class Sort>
inline constexpr bool is_at = Fits<At>::template value<T, Sort> && !Fits<At>::template value<T, Nothing>;

template <class T, std::size_t Count = 0>
consteval std::size_t count_braces() {
  if constexpr (Count == kMostFields) {
    return Count;
  } else if constexpr (Fits<Count + 1>::template value<T>) {
    return count_braces<T, Count + 1>();
  } else {
    return Count;
  }
}

template <class T, std::size_t Count = 0>
consteval std::size_t count_empty_bases() {
  if constexpr (is_at<T, Count, AnyBase<T, true>>) {
    return count_empty_bases<T, Count + 1>();
  } else {
    return Count;
  }
}

template <class T, std::size_t... At>
consteval bool has_union(std::index_sequence<At...>) {
  return (is_at<T, At, AnyUnion> || ...);
}

// What an aggregate shows.
enum class Look { members, base, union_, bit_field, too_many, nothing };
struct Seen {
  Look look = Look::nothing;
  std::size_t members = 0;
};

// Count: of its bases and members.
template <class T, std::size_t Count>
consteval Seen look_at_each() {
  constexpr std::size_t kBases = count_empty_bases<T>();
  if constexpr (is_at<T, kBases, AnyBase<T, false>>) {
    return {Look::base};
  } else if constexpr (has_union<T>(std::make_index_sequence<Count>{})) {
    return {Look::union_};
  } else {
    return {Look::members, Count - kBases};
  }
}

template <class T>
consteval Seen look_closely();

template <class T>
consteval Seen look() {
  if constexpr (Fits<0>::template value<T>) {
    constexpr std::size_t kCount = count_braces<T>();
    if constexpr (!Fits<kCount>::template value<T, AnyInitializer<T>>) {
      return look_at_each<T, kCount>();
    } else if constexpr (kCount == kMostFields) {
      return {Look::too_many};
    } else {
      return look_closely<T>();
    }
  } else {
    return look_closely<T>();
  }
}

// The search among types some of whose members take no {}: references, and classes without a default constructor. As
// Boost.PFR finds them, by how many initializers there can be. C arrays swallow one for each element: this many in all.
inline constexpr std::size_t kMostInitializers = 256;

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

template <class T, class Stand, std::size_t... I>
consteval bool begins_with(std::index_sequence<I...>) {
  return requires { T{Stand{}, AnyInitializer<T>{I}...}; };
}

template <class T>
consteval Seen look_closely() {
  constexpr std::size_t kInitializers = initializer_count<T>();
  if constexpr (kInitializers > kMostInitializers || kInitializers == 0) {
    return {};
  } else {
    constexpr std::make_index_sequence<kInitializers - 1> kOthers;
    if constexpr ((begins_with<T, AnyBase<T, true>>(kOthers) || begins_with<T, AnyBase<T, false>>(kOthers)) &&
                  !begins_with<T, Nothing>(kOthers)) {
      return {Look::base};
    } else {
      constexpr std::size_t kCount = count_fields<T, kInitializers>();
      return kCount <= kMostFields ? Seen{Look::members, kCount} : Seen{Look::too_many};
    }
  }
}

template <class T>
inline constexpr Seen seen = look<T>();

// Calls visit(Types<declared types...>, members...).
template <class T, class Visit>
constexpr auto with_fields(T& value, Visit&& visit) {
  return Bindings<seen<std::remove_const_t<T>>.members>::visit(value, visit);
}

template <class T>
using FieldTypes = decltype(with_fields(std::declval<T&>(), [](auto types, auto&...) { return types; }));

template <class T>
consteval Look find_look() {
  if constexpr (seen<T>.look != Look::members) {
    return seen<T>.look;
  } else {
    return std::is_same_v<FieldTypes<T>, BitFields> ? Look::bit_field : Look::members;
  }
}

}  // namespace kaon::runtime::archive
