// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kaon/runtime/archive/archive.hpp"
#include "kaon/runtime/archive/copyable.hpp"
#include "kaon/runtime/messages/typed_record.hpp"
#include "kaon/runtime/work/task.hpp"

namespace kaon::chares {

template <class M, auto Key>
class Inbox;

/// Properties of the entry that a pointer to a member names.
template <class>
struct EntryTraits {
  static constexpr bool is_entry = false;
};

template <class C, class R, class... A>
struct MethodTraits {
  static constexpr bool is_entry = true;
  static constexpr bool is_inbox = false;
  static constexpr bool is_coroutine = is_task<R>;
  static constexpr bool has_reference_parameters = (std::is_reference_v<A> || ...);
  static constexpr bool has_mutable_reference_parameters =
      ((std::is_lvalue_reference_v<A> && !std::is_const_v<std::remove_reference_t<A>>) || ...);
  using Chare = C;
  using Result = R;
  using Arguments = std::tuple<std::remove_cvref_t<A>...>;
};
template <class C, class R, class... A>
struct EntryTraits<R (C::*)(A...)> : MethodTraits<C, R, A...> {};
template <class C, class R, class... A>
struct EntryTraits<R (C::*)(A...) const> : MethodTraits<C, R, A...> {};
template <class C, class R, class... A>
struct EntryTraits<R (C::*)(A...) noexcept> : MethodTraits<C, R, A...> {};
template <class C, class R, class... A>
struct EntryTraits<R (C::*)(A...) const noexcept> : MethodTraits<C, R, A...> {};

template <class C, class M, auto Key>
struct EntryTraits<Inbox<M, Key> C::*> {
  static constexpr bool is_entry = true;
  static constexpr bool is_inbox = true;
  static constexpr bool is_coroutine = false;
  static constexpr bool has_reference_parameters = false;
  static constexpr bool has_mutable_reference_parameters = false;
  using Chare = C;
  using Result = void;
  using Arguments = std::tuple<M>;
};

/// C or a class derived from the one that declares the entry.
template <auto E, class C>
inline constexpr bool is_entry_of = [] {
  using Traits = EntryTraits<decltype(E)>;
  if constexpr (Traits::is_entry)
    return std::is_base_of_v<typename Traits::Chare, C>;
  else
    return false;
}();

/// True if a call of the method would convert the arguments. Explicit constructors do not count.
template <class Arguments, class... A>
struct Accepts;
template <class... Parameters, class... A>
  requires(sizeof...(Parameters) == sizeof...(A))
struct Accepts<std::tuple<Parameters...>, A...> : std::bool_constant<(std::is_convertible_v<A, Parameters> && ...)> {};
template <class... Parameters, class... A>
  requires(sizeof...(Parameters) != sizeof...(A))
struct Accepts<std::tuple<Parameters...>, A...> : std::false_type {};

/// True if the arguments make a message for the entry: its parameters, or the fields of an inbox's message type.
template <auto E, class... A>
inline constexpr bool accepts = [] {
  using Traits = EntryTraits<decltype(E)>;
  using Arguments = typename Traits::Arguments;
  if constexpr (Traits::is_inbox) {
    using M = std::tuple_element_t<0, Arguments>;
    return requires(A&&... a) { M{std::forward<A>(a)...}; };
  } else {
    return Accepts<Arguments, A...>::value;
  }
}();

/// Shown by a compiler with the sentence on a type that cannot be serialized: what that type is.
template <auto E>
struct ParameterOf {
  template <std::size_t>
  struct Number;
};
template <class C>
struct ConstructorArgumentOf {
  template <std::size_t>
  struct Number;
};
template <auto E>
struct ResultOfEntry;
struct ValueToContribute;
struct ClassToMigrate;

/// Same as require_serializable(), and also requires a default constructor: values are read into a new object.
template <class T, class... Where>
consteval bool require_received() {
  constexpr bool kTravels = require_serializable<T, Where...>();
  constexpr bool kIsMade = std::is_default_constructible_v<T>;
  static_assert(kIsMade, "what arrives is read into a new value: give its type a public default constructor");
  return kTravels && kIsMade;
}

/// Says in one sentence which argument cannot be serialized, and why.
template <class Place, class... T, std::size_t... I>
consteval bool require_serializable_arguments(std::type_identity<std::tuple<T...>>, std::index_sequence<I...>) {
  return (require_received<T, typename Place::template Number<I + 1>>() && ...);
}

template <class Arguments>
inline constexpr bool are_copyable = false;
template <class... T>
inline constexpr bool are_copyable<std::tuple<T...>> = (is_copyable<T> && ...);

/// Arguments with one more in front of them, which the runtime adds.
template <class First, class Arguments>
struct Prepended;
template <class First, class... T>
struct Prepended<First, std::tuple<T...>> {
  using type = std::tuple<First, T...>;
};

template <class Arguments>
struct FunctionsFor;
template <class... T>
struct FunctionsFor<std::tuple<T...>> {
  using type = MessageFunctions<T...>;
};

}  // namespace kaon::chares
