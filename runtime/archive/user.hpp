// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "kaon/runtime/base/namespaces.hpp"

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

// save and load go before serialize: a type with all three has a serialize that only chooses between them, by means of
// Boost that an archive of ours lacks.
template <class T>
concept UserSerialized = HasPup<T> || HasSplit<T> || HasVersionedSplit<T> || HasSerialize<T> ||
                         HasVersionedSerialize<T> || HasFreeSerialize<T> || HasVersionedFreeSerialize<T>;

// The version that Boost passes is always 0: both sides are the same program.
template <class Archive, class T>
void run_user_code(Archive& ar, T& value) {
  if constexpr (HasPup<T>) {
    value.pup(ar);
  } else if constexpr (HasSplit<T>) {
    if constexpr (Archive::is_saving) {
      std::as_const(value).save(ar);
    } else {
      value.load(ar);
    }
  } else if constexpr (HasVersionedSplit<T>) {
    if constexpr (Archive::is_saving) {
      std::as_const(value).save(ar, 0U);
    } else {
      value.load(ar, 0U);
    }
  } else if constexpr (HasSerialize<T>) {
    value.serialize(ar);
  } else if constexpr (HasVersionedSerialize<T>) {
    value.serialize(ar, 0U);
  } else if constexpr (HasFreeSerialize<T>) {
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
};
template <class T>
concept BoostNamed = std::is_class_v<T> && requires(const T& pair) {
  { pair.name() } -> std::convertible_to<const char*>;
  pair.value();
  pair.const_value();
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
