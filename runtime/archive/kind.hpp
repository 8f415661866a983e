// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "kaon/runtime/archive/user.hpp"

// What a type is to an archive. The standard's templates are known by name, and which of them one is by what it offers:
// so no header of theirs is included here, which would cost every user program compile time. Other classes that offer
// the same may hold more than they show, and are not believed (user.hpp).
namespace kaon::runtime::archive {

enum class Kind {
  // Sent:
  bits,        // numbers, enums, complex: their bytes
  boolean,     // one byte, checked when read
  duration,    // chrono
  time_point,  // chrono
  array,       // C array, std::array
  bitset,
  tuple,   // and pair
  fields,  // aggregate
  user,    // has pup, serialize, or save and load
  sequence,
  bit_vector,  // vector<bool>
  set,
  map,
  optional,
  variant,
  unique,  // unique_ptr
  shared,  // shared_ptr, weak_ptr
  // Refused:
  pointer,
  function,
  reference,
  constant,
  view,
  owner,
  union_,
  inherited,  // a base class says how it is serialized, the class does not
  lookalike,  // offers what a container, an optional, a variant or a tuple offers
  unknown
};

// The standard's templates, and those of Boost's that hold what they show and nothing else.
template <class T>
consteval bool is_known() {
  return is_named<T>("std::") || is_named<T>("boost::container::") || is_named<T>("boost::unordered::") ||
         is_named<T>("boost::optional<") || is_named<T>("boost::variant2::variant<") || is_named<T>("boost::chrono::");
}

template <class T>
concept ComplexLike = std::is_trivially_copyable_v<T> && requires(const T& value) {
  requires std::is_arithmetic_v<typename T::value_type>;
  requires sizeof(T) == 2 * sizeof(typename T::value_type);
  { value.real() } -> std::same_as<typename T::value_type>;
  { value.imag() } -> std::same_as<typename T::value_type>;
};

template <class T>
concept DurationLike = requires(const T& value) {
  typename T::rep;
  typename T::period;
  T(value.count());
};

template <class T>
concept TimePointLike = requires(const T& value) {
  typename T::clock;
  T(value.time_since_epoch());
};

template <class T>
concept TupleLike = requires { std::tuple_size<T>::value; };

template <class T>
concept ArrayLike = TupleLike<T> && requires(const T& value) { value.data(); };

template <class T>
inline constexpr bool is_bitset = false;
template <template <std::size_t> class Bitset, std::size_t Count>
inline constexpr bool is_bitset<Bitset<Count>> =
    requires(Bitset<Count> value) { value.set(Count, value.test(Count)).to_ullong(); };

template <class T>
concept BitVector = requires(T& value) {
  requires std::is_same_v<typename T::value_type, bool> && !std::is_same_v<typename T::reference, bool&>;
  value.resize(0);
  value[0];
};

// Elements side by side in memory, replaced as a whole by assign: vector, string.
template <class T>
concept Assignable = requires(T& value, const typename T::value_type* from) {
  { std::as_const(value).data() } -> std::same_as<const typename T::value_type*>;
  value.assign(from, from);
};

template <class T>
concept Sequence = requires(T& value) {
  value.begin();
  value.end();
  value.size();
  value.clear();
} && (Assignable<T> || requires(T& value) {
                     value.emplace_back();
                     value.back();
                   });

template <class T>
concept MapLike = requires(T& value, typename T::key_type& key, typename T::mapped_type& mapped) {
  value.clear();
  value.size();
  value.emplace_hint(value.end(), std::move(key), std::move(mapped));
};

template <class T>
concept SetLike = requires(T& value, typename T::key_type& key) {
  value.clear();
  value.size();
  value.emplace_hint(value.end(), std::move(key));
};

template <class T>
concept OptionalLike = requires(T& value) {
  typename T::value_type;
  value.has_value();
  value.reset();
  *value;
};

template <class T>
concept VariantLike = requires(const T& value) {
  value.index();
  value.valueless_by_exception();
};

template <class T>
concept SmartPointer = requires(T& value) { typename T::element_type; } &&
                       (
                           requires(T& value) { value.get(); } || requires(T& value) { value.lock(); });

// Pointers to one object that the standard's `delete` or counts keep. (A deleter of another kind does not travel.)
template <class T>
inline constexpr bool is_of_object = false;
template <template <class...> class Pointer, class X, class... Deleter>
inline constexpr bool is_of_object<Pointer<X, Deleter...>> = std::is_object_v<X> && !std::is_array_v<X>;
template <class T>
concept UniquePointer = SmartPointer<T> && is_of_object<T> &&
                        requires { requires is_named<typename T::deleter_type>("std::default_delete<"); };
template <class T>
concept SharedPointer =
    SmartPointer<T> && is_of_object<T> && (is_named<T>("std::shared_ptr<") || is_named<T>("std::weak_ptr<"));

// string_view and span; a reference_wrapper is one of the same sort.
template <class T>
concept View = requires(T& value) { value.data(); } &&
               (
                   requires(T& value) { value.remove_prefix(0); } || requires(T& value) { value.subspan(0); });

template <class T>
concept ReferenceWrapper = requires(const T& value) {
  { value.get() } -> std::same_as<typename T::type&>;
};

// What a class offers, should that be all there is to it; unknown when it offers nothing of the kind.
template <class T>
consteval Kind container_kind() {
  if constexpr (BitVector<T>) {
    return Kind::bit_vector;
  } else if constexpr (MapLike<T>) {
    return Kind::map;
  } else if constexpr (SetLike<T>) {
    return Kind::set;
  } else if constexpr (Sequence<T>) {
    return Kind::sequence;
  } else if constexpr (OptionalLike<T>) {
    return Kind::optional;
  } else {
    return Kind::unknown;
  }
}

template <class T>
consteval Kind refused_class_kind() {
  if constexpr (View<T>) {
    return Kind::view;
  } else if constexpr (SmartPointer<T>) {
    return Kind::owner;
  } else if constexpr (ReferenceWrapper<T>) {
    return Kind::reference;
  } else {
    return Kind::unknown;
  }
}

template <class T>
consteval Kind known_kind() {
  if constexpr (ComplexLike<T>) {
    return Kind::bits;
  } else if constexpr (UniquePointer<T>) {
    return Kind::unique;
  } else if constexpr (SharedPointer<T>) {
    return Kind::shared;
  } else if constexpr (DurationLike<T>) {
    return Kind::duration;
  } else if constexpr (TimePointLike<T>) {
    return Kind::time_point;
  } else if constexpr (ArrayLike<T>) {
    return Kind::array;
  } else if constexpr (TupleLike<T>) {
    return Kind::tuple;
  } else if constexpr (is_bitset<T>) {
    return Kind::bitset;
  } else if constexpr (VariantLike<T>) {
    return Kind::variant;
  } else {
    return container_kind<T>();
  }
}

// A class that is not known. An aggregate shows its members, whatever else it offers.
template <class T>
consteval Kind other_class_kind() {
  if constexpr (user_code<T> != UserCode::none) {
    return user_code<T> == UserCode::base ? Kind::inherited : Kind::user;
  } else if constexpr (ComplexLike<T>) {
    return Kind::bits;  // it has no room for more than the two numbers that it shows
  } else if constexpr (kaon::is_serialized_whole<T> && container_kind<T>() != Kind::unknown) {
    return container_kind<T>();
  } else if constexpr (TupleLike<T>) {
    return Kind::lookalike;
  } else if constexpr (std::is_aggregate_v<T>) {
    return Kind::fields;
  } else if constexpr (refused_class_kind<T>() != Kind::unknown) {
    return refused_class_kind<T>();
  } else {
    return known_kind<T>() != Kind::unknown ? Kind::lookalike : Kind::unknown;
  }
}

template <class T>
consteval Kind class_kind() {
  if constexpr (is_known<T>() && known_kind<T>() != Kind::unknown) {
    return known_kind<T>();
  } else {
    return other_class_kind<T>();
  }
}

template <class T>
consteval Kind find_kind() {
  if constexpr (std::is_reference_v<T>) {
    return Kind::reference;
  } else if constexpr (std::is_const_v<T>) {
    return Kind::constant;
  } else if constexpr (std::is_volatile_v<T>) {
    return Kind::unknown;
  } else if constexpr (std::is_same_v<T, bool>) {
    return Kind::boolean;
  } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    return Kind::bits;
  } else if constexpr (std::is_member_pointer_v<T> || std::is_function_v<std::remove_pointer_t<T>>) {
    return Kind::function;
  } else if constexpr (std::is_pointer_v<T> || std::is_null_pointer_v<T>) {
    return Kind::pointer;
  } else if constexpr (std::is_bounded_array_v<T>) {
    return Kind::array;
  } else if constexpr (std::is_union_v<T>) {
    return Kind::union_;
  } else if constexpr (std::is_class_v<T>) {
    return class_kind<T>();
  } else {
    return Kind::unknown;
  }
}

template <class T>
inline constexpr Kind kind = find_kind<T>();

// What a duration or a time_point holds, and is made from again.
template <class T>
constexpr auto time_count(const T& time) {
  if constexpr (kind<T> == Kind::duration) {
    return time.count();
  } else {
    return time.time_since_epoch();
  }
}
template <class T>
using TimeCount = decltype(time_count(std::declval<const T&>()));

}  // namespace kaon::runtime::archive
