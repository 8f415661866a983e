// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "kaon/runtime/base/namespaces.hpp"

// What a compiler calls a type, which tells a template of the standard from a class derived from it or like it, without
// a header of the standard's that declares the template.
namespace kaon::runtime::archive {

template <class T>
consteval const char* rendering() {
  return __PRETTY_FUNCTION__;
}

// Where the name of T begins in its rendering, "... [with T = std::vector<int>]": at one place for all types.
consteval std::size_t find_name() {
  const char* text = rendering<int>();
  std::size_t at = 0;
  while (text[at] != '=') {
    ++at;
  }
  return at + 2;
}
inline constexpr std::size_t kNameBegins = find_name();

// The name of T with its namespaces, and a bracket behind it.
template <class T>
inline constexpr const char* type_name = rendering<T>() + kNameBegins;

template <class T>
consteval bool is_named(const char* beginning) {
  for (const char* at = type_name<T>; *beginning != '\0'; ++at, ++beginning) {
    if (*at != *beginning) {
      return false;
    }
  }
  return true;
}

}  // namespace kaon::runtime::archive

namespace kaon {

/// True if the inherited or container-like part of a class is all of it that is to be sent. A pup of a base class does
/// not cover the members of a derived class, and a container-like class may hold more than its elements. So neither is
/// assumed of a class unless it is declared, either in the class, where derived classes do not inherit it,
///
///   class Particles : public Base { public: using serialized_whole = Particles; ... };
///
/// or outside of the class, by specializing this template under its own name, not that of a using-declaration:
///
///   template <class T> inline constexpr bool kaon::is_serialized_whole<others::SmallVector<T>> = true;
template <class T>
inline constexpr bool is_serialized_whole = requires { requires std::is_same_v<typename T::serialized_whole, T>; };

}  // namespace kaon

namespace kaon::runtime {
class Writer;
class Reader;
}  // namespace kaon::runtime

// The ways in which a user's type says how it is serialized: Kaon's pup, and what Boost.Serialization and cereal use.
namespace kaon::runtime::archive {

template <class T>
concept HasPup = requires(T& value, Writer& out) { value.pup(out); };

template <class T>
concept HasSplit = requires(const T& from, T& to, Writer& out, Reader& in) {
  from.save(out);
  to.load(in);
};
template <class T>
concept HasVersionedSplit = requires(const T& from, T& to, Writer& out, Reader& in) {
  from.save(out, 0U);
  to.load(in, 0U);
};
template <class T>
concept HasSerialize = requires(T& value, Writer& out) { value.serialize(out); };
template <class T>
concept HasVersionedSerialize = requires(T& value, Writer& out) { value.serialize(out, 0U); };
template <class T>
concept HasFreeSerialize = requires(T& value, Writer& out) { serialize(out, value); };
template <class T>
concept HasVersionedFreeSerialize = requires(T& value, Writer& out) { serialize(out, value, 0U); };

// Who declares a member is told by the type of a pointer to it: `void (Base::*)(Writer&)` when it is inherited, and a
// template argument is not converted to the derived class. The first form finds one member of any type, the second
// one of several. A declaration hides the names of the bases, so one is enough for a name.
template <class>
struct ClassOf;
template <class C, class Function>
struct ClassOf<Function C::*> {
  using Type = C;
};
template <class T, class Pointer>
concept PointsInto = std::is_same_v<typename ClassOf<Pointer>::Type, T>;
template <class Pointer, Pointer>
struct Exactly;

template <class T>
concept DeclaresPup = requires { requires PointsInto<T, decltype(&T::template pup<Writer>)>; } ||
                      requires { typename Exactly<void (T::*)(Writer&), &T::pup>; };
template <class T>
concept DeclaresSerialize = requires { requires PointsInto<T, decltype(&T::template serialize<Writer>)>; } || requires {
  typename Exactly<void (T::*)(Writer&), &T::serialize>;
} || requires { typename Exactly<void (T::*)(Writer&, unsigned), &T::serialize>; };
template <class T>
concept DeclaresSave = requires { requires PointsInto<T, decltype(&T::template save<Writer>)>; } || requires {
  typename Exactly<void (T::*)(Writer&) const, &T::save>;
} || requires { typename Exactly<void (T::*)(Writer&, unsigned) const, &T::save>; };
template <class T>
concept DeclaresLoad = requires { requires PointsInto<T, decltype(&T::template load<Reader>)>; } || requires {
  typename Exactly<void (T::*)(Reader&), &T::load>;
} || requires { typename Exactly<void (T::*)(Reader&, unsigned), &T::load>; };

// A free serialize that takes a T is a better match than these, and these are better than one that takes a base of T.
namespace ranked {
struct OfNobody {};
template <class Archive, class T>
OfNobody serialize(Archive&, const T&);
template <class Archive, class T>
OfNobody serialize(Archive&, const T&, unsigned);
template <class T>
concept TakesExactly =
    requires(T& value, Writer& out) { requires !std::is_same_v<decltype(serialize(out, value)), OfNobody>; };
template <class T>
concept TakesExactlyWithVersion =
    requires(T& value, Writer& out) { requires !std::is_same_v<decltype(serialize(out, value, 0U)), OfNobody>; };
}  // namespace ranked

enum class UserCode { none, pup, split, versioned_split, serialize, versioned_serialize, free, versioned_free, base };

// save and load go before serialize: a type with all three has a serialize that only chooses between them, by means of
// Boost that an archive of ours lacks.
template <class T, bool IsBaseEnough>
consteval UserCode user_code_of() {
  if constexpr (HasPup<T> && (IsBaseEnough || DeclaresPup<T>)) {
    return UserCode::pup;
  } else if constexpr (HasSplit<T> && (IsBaseEnough || (DeclaresSave<T> && DeclaresLoad<T>))) {
    return UserCode::split;
  } else if constexpr (HasVersionedSplit<T> && (IsBaseEnough || (DeclaresSave<T> && DeclaresLoad<T>))) {
    return UserCode::versioned_split;
  } else if constexpr (HasSerialize<T> && (IsBaseEnough || DeclaresSerialize<T>)) {
    return UserCode::serialize;
  } else if constexpr (HasVersionedSerialize<T> && (IsBaseEnough || DeclaresSerialize<T>)) {
    return UserCode::versioned_serialize;
  } else if constexpr (HasFreeSerialize<T> && (IsBaseEnough || ranked::TakesExactly<T>)) {
    return UserCode::free;
  } else if constexpr (HasVersionedFreeSerialize<T> && (IsBaseEnough || ranked::TakesExactlyWithVersion<T>)) {
    return UserCode::versioned_free;
  } else {
    return UserCode::none;
  }
}

template <class T>
consteval UserCode find_user_code() {
  constexpr UserCode kOwn = user_code_of<T, false>();
  if constexpr (kOwn != UserCode::none) {
    return kOwn;
  } else {
    constexpr UserCode kInherited = user_code_of<T, true>();
    return kInherited == UserCode::none || is_serialized_whole<T> ? kInherited : UserCode::base;
  }
}

// How T says it is serialized; `base`: only a base of it does.
template <class T>
inline constexpr UserCode user_code = find_user_code<T>();

// The version that Boost passes is always 0: both sides are the same program.
template <class Archive, class T>
void run_user_code(Archive& ar, T& value) {
  constexpr UserCode kCode = user_code<T>;
  if constexpr (kCode == UserCode::pup) {
    value.pup(ar);
  } else if constexpr (kCode == UserCode::split) {
    if constexpr (Archive::is_saving) {
      std::as_const(value).save(ar);
    } else {
      value.load(ar);
    }
  } else if constexpr (kCode == UserCode::versioned_split) {
    if constexpr (Archive::is_saving) {
      std::as_const(value).save(ar, 0U);
    } else {
      value.load(ar, 0U);
    }
  } else if constexpr (kCode == UserCode::serialize) {
    value.serialize(ar);
  } else if constexpr (kCode == UserCode::versioned_serialize) {
    value.serialize(ar, 0U);
  } else if constexpr (kCode == UserCode::free) {
    serialize(ar, value);
  } else {
    serialize(ar, value, 0U);
  }
}

// The pairs of a name and a value that CEREAL_NVP and BOOST_SERIALIZATION_NVP make: only the value travels.
template <class T>
concept CerealNamed = std::is_class_v<T> && requires(const T& pair) {
  { pair.name } -> std::convertible_to<const char*>;
  requires std::is_lvalue_reference_v<decltype(pair.value)>;
  requires sizeof(T) == 2 * sizeof(void*);  // nothing else is in it
};
template <class T>
concept BoostNamed = std::is_class_v<T> && requires(const T& pair) {
  { pair.name() } -> std::convertible_to<const char*>;
  pair.value();
  pair.const_value();
  requires is_named<T>("boost::serialization::nvp<");
};

template <class T>
constexpr auto& without_name(T& value) {
  if constexpr (CerealNamed<std::remove_const_t<T>>) {
    return value.value;
  } else if constexpr (BoostNamed<std::remove_const_t<T>>) {
    return value.value();
  } else {
    return value;
  }
}

}  // namespace kaon::runtime::archive
