// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "kaon/runtime/archive/size.hpp"

// Which types an archive takes, and one sentence for each reason to refuse.
namespace kaon::runtime::archive {

enum class Refusal {
  none,
  pointer,
  function,
  reference,
  constant,
  view,
  owner,
  inherited,
  container_like,
  variant_like,
  base_class,
  bit_field,
  union_member,
  too_many_members,
  stateful_order,
  not_default_constructible,
  unknown
};

template <class T>
consteval Refusal refusal_of_aggregate() {
  switch (find_look<T>()) {
    case Look::members:
      return Refusal::none;
    case Look::base:
      return Refusal::base_class;
    case Look::union_:
      return Refusal::union_member;
    case Look::bit_field:
      return Refusal::bit_field;
    case Look::too_many:
      return Refusal::too_many_members;
    default:
      return Refusal::unknown;
  }
}

// Comparators and hashes do not travel: those without members are the same at the other end.
template <class T>
consteval bool has_stateless_order() {
  bool is_stateless = true;
  if constexpr (requires { typename T::key_compare; }) {
    is_stateless = std::is_empty_v<typename T::key_compare>;
  } else if constexpr (requires { typename T::hasher; }) {
    is_stateless = std::is_empty_v<typename T::hasher> && std::is_empty_v<typename T::key_equal>;
  }
  return is_stateless || kaon::is_serialized_whole<T>;
}

template <class T>
consteval Refusal own_refusal() {
  constexpr Kind kKind = kind<T>;
  if constexpr (kKind == Kind::fields) {
    return refusal_of_aggregate<T>();
  } else if constexpr (kKind == Kind::set || kKind == Kind::map) {
    return has_stateless_order<T>() ? Refusal::none : Refusal::stateful_order;
  } else {
    switch (kKind) {
      case Kind::pointer:
        return Refusal::pointer;
      case Kind::function:
        return Refusal::function;
      case Kind::reference:
        return Refusal::reference;
      case Kind::constant:
        return Refusal::constant;
      case Kind::view:
        return Refusal::view;
      case Kind::owner:
        return Refusal::owner;
      case Kind::union_:
        return Refusal::union_member;
      case Kind::inherited:
        return Refusal::inherited;
      case Kind::lookalike:
        return VariantLike<T> ? Refusal::variant_like : Refusal::container_like;
      case Kind::unknown:
        return Refusal::unknown;
      default:
        return Refusal::none;
    }
  }
}

// Whether reading a T makes values of its parts one by one.
template <class T>
consteval bool makes_parts() {
  constexpr Kind kKind = kind<T>;
  return kKind == Kind::sequence || kKind == Kind::set || kKind == Kind::map || kKind == Kind::optional ||
         kKind == Kind::variant || kKind == Kind::unique || kKind == Kind::shared;
}

// Why a type is refused, the type that is the reason, itself or one inside, and what has that as a part.
template <Refusal Why, class Culprit, class Around = void>
struct Verdict {
  static constexpr Refusal kWhy = Why;
  using Type = Culprit;
  using Holder = Around;
};

// `Within` are the types being looked at already: a tree has a vector of itself.
template <class T, class... Within>
consteval auto verdict_on();

template <bool MustBeMade, class T, class... Within>
consteval auto verdict_on_parts(Types<>) {
  return Verdict<Refusal::none, void>{};
}
template <bool MustBeMade, class T, class... Within, class Part, class... Others>
consteval auto verdict_on_parts(Types<Part, Others...>) {
  using OnPart = decltype(verdict_on<Part, T, Within...>());
  if constexpr (OnPart::kWhy != Refusal::none) {
    using Holder = typename OnPart::Holder;
    return Verdict<OnPart::kWhy, typename OnPart::Type, std::conditional_t<std::is_void_v<Holder>, T, Holder>>{};
  } else if constexpr (MustBeMade && !std::is_default_constructible_v<Part>) {
    return Verdict<Refusal::not_default_constructible, Part, T>{};
  } else {
    return verdict_on_parts<MustBeMade, T, Within...>(Types<Others...>{});
  }
}

template <class T, class... Within>
consteval auto verdict_on() {
  if constexpr ((std::is_same_v<T, Within> || ...)) {
    return Verdict<Refusal::none, void>{};
  } else if constexpr (own_refusal<T>() != Refusal::none) {
    return Verdict<own_refusal<T>(), T>{};
  } else {
    return verdict_on_parts<makes_parts<T>(), T, Within...>(Parts<T>{});
  }
}

template <class T>
using VerdictOn = decltype(verdict_on<T>());

// Shown by a compiler: where a refused type is.
template <class T>
struct In;

// Says why in one sentence. The compiler adds what the parameters are.
template <Refusal Why, class Refused, class... Where>
consteval bool refuse() {
  static_assert(Why != Refusal::pointer,
                "a pointer means nothing in another process: send the value itself, or a proxy of the chare");
  static_assert(Why != Refusal::function,
                "a function pointer means nothing in another process: send a value that says which function to call");
  static_assert(Why != Refusal::reference,
                "a reference means nothing in another process: let it hold the value itself");
  static_assert(
      Why != Refusal::view,
      "a view (string_view, span) means nothing in another process: send the string, vector or Payload itself");
  static_assert(
      Why != Refusal::owner,
      "this smart pointer cannot be sent, an array or a deleter of its own means nothing in another process: send "
      "the value, a vector, or a std::unique_ptr or std::shared_ptr of one object");
  static_assert(Why != Refusal::constant,
                "a const member cannot be filled in where it arrives: drop the const, or give the type a pup");
  static_assert(
      Why != Refusal::not_default_constructible,
      "an element of a container, optional or variant is read into a new value: give its type a default constructor");
  static_assert(Why != Refusal::inherited,
                "a base class says how it is serialized and does not know what this class adds: give the class a pup "
                "of its own, { Base::pup(ar); ar(its members); }, or if it adds nothing, using serialized_whole = "
                "TheClass;");
  static_assert(Why != Refusal::container_like,
                "this class looks like a container and may hold more than its elements: give it a pup, or if it does "
                "not, using serialized_whole = TheClass; (kaon::is_serialized_whole for classes of others)");
  static_assert(Why != Refusal::variant_like,
                "this class looks like a variant and may hold more: give it template <class Archive> void pup(Archive& "
                "ar) { ar(static_cast<std::variant<...>&>(*this)); }");
  static_assert(Why != Refusal::base_class,
                "a struct with a base class does not show its members: give it template <class Archive> void "
                "pup(Archive& ar) { ar(static_cast<Base&>(*this), its members); }");
  static_assert(Why != Refusal::bit_field,
                "a bit-field cannot be filled in where it arrives, as nothing can refer to it: give the struct a pup "
                "that packs and unpacks a copy, or use a whole number");
  static_assert(Why != Refusal::union_member,
                "a union does not say which of its members it holds: use std::variant, or give the struct around it a "
                "pup that knows");
  static_assert(Why != Refusal::too_many_members,
                "an aggregate of more than 32 members does not show them: give it a pup, or put some of them together "
                "in a struct of their own");
  static_assert(Why != Refusal::stateful_order,
                "the comparator or hash of a set or map does not travel, and this one has members: use one without, or "
                "a vector");
  static_assert(Why != Refusal::unknown,
                "this type does not say how it is serialized: give it a public template <class Archive> void "
                "pup(Archive& ar) { ar(its members); }, or make it an aggregate of at most 32 members");
  return Why == Refusal::none;
}

}  // namespace kaon::runtime::archive

namespace kaon::runtime {

// What may be an argument of an entry that runs in another process.
template <class T>
concept Serializable = archive::VerdictOn<std::remove_cv_t<T>>::kWhy == archive::Refusal::none;

// Says in one sentence why a T cannot be serialized; to be called in the function that the user called. What T is to
// that function may be named by a type, which the compiler shows with the sentence.
template <class T, class... Where>
consteval bool require_serializable() {
  using Verdict = archive::VerdictOn<std::remove_cv_t<T>>;
  if constexpr (Verdict::kWhy == archive::Refusal::none) {
    return true;
  } else if constexpr (std::is_void_v<typename Verdict::Holder>) {
    return archive::refuse<Verdict::kWhy, T, Where...>();
  } else if constexpr (std::is_same_v<typename Verdict::Holder, std::remove_cv_t<T>>) {
    return archive::refuse<Verdict::kWhy, typename Verdict::Type, archive::In<T>, Where...>();
  } else {
    return archive::refuse<Verdict::kWhy, typename Verdict::Type, archive::In<typename Verdict::Holder>, archive::In<T>,
                           Where...>();
  }
}

}  // namespace kaon::runtime
