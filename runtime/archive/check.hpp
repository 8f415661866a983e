// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "kaon/runtime/archive/size.hpp"

// Which types an archive takes, and one sentence for each reason to refuse.
namespace kaon::runtime::archive {

enum class Refusal { none, pointer, function, reference, constant, view, owner, not_default_constructible, unknown };

template <class T>
consteval Refusal own_refusal() {
  constexpr Kind kKind = kind<T>;
  if constexpr (kKind == Kind::fields) {
    return has_fields<T>() ? Refusal::none : Refusal::unknown;
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
         kKind == Kind::variant;
}

// `Within` are the types being looked at already: a tree has a vector of itself.
template <class T, class... Within>
consteval Refusal refusal_of();

template <class T, class... Within, class... Part>
consteval Refusal refusal_of_parts(Types<Part...>) {
  Refusal first = Refusal::none;
  static_cast<void>(((first = refusal_of<Part, Within..., T>(), first != Refusal::none) || ...));
  if constexpr (makes_parts<T>()) {
    if (first == Refusal::none && !(std::is_default_constructible_v<Part> && ...)) {
      return Refusal::not_default_constructible;
    }
  }
  return first;
}

template <class T, class... Within>
consteval Refusal refusal_of() {
  if constexpr ((std::is_same_v<T, Within> || ...)) {
    return Refusal::none;
  } else if constexpr (own_refusal<T>() != Refusal::none) {
    return own_refusal<T>();
  } else {
    return refusal_of_parts<T, Within...>(Parts<T>{});
  }
}

template <class T>
inline constexpr Refusal refusal = refusal_of<T>();

}  // namespace kaon::runtime::archive

namespace kaon::runtime {

// What may be an argument of an entry that runs in another process.
template <class T>
concept Serializable = archive::refusal<std::remove_cv_t<T>> == archive::Refusal::none;

// Says in one sentence why a T cannot be serialized; to be called in the function that the user called.
template <class T>
consteval bool require_serializable() {
  using archive::Refusal;
  constexpr Refusal kWhy = archive::refusal<std::remove_cv_t<T>>;
  static_assert(kWhy != Refusal::pointer,
                "a pointer means nothing in another process: send the value itself, or a proxy of the chare");
  static_assert(kWhy != Refusal::function,
                "a function pointer means nothing in another process: send a value that says which function to call");
  static_assert(kWhy != Refusal::reference,
                "a reference means nothing in another process: let the argument hold the value itself");
  static_assert(
      kWhy != Refusal::view,
      "a view (string_view, span) means nothing in another process: send the string, vector or Payload itself");
  static_assert(kWhy != Refusal::owner,
                "unique_ptr and shared_ptr cannot be sent, a pointer means nothing in another process: send the value, "
                "an optional or a vector");
  static_assert(kWhy != Refusal::constant,
                "a const member cannot be filled in where it arrives: drop the const, or give the type a pup");
  static_assert(
      kWhy != Refusal::not_default_constructible,
      "an element of a container, optional or variant is read into a new value: give its type a default constructor");
  static_assert(kWhy != Refusal::unknown,
                "this type does not say how it is serialized: give it a public template <class Archive> void "
                "pup(Archive& ar) { ar(its members); }, "
                "or make it an aggregate of at most 32 members");
  return kWhy == Refusal::none;
}

}  // namespace kaon::runtime
