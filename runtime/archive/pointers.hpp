// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "kaon/runtime/archive/corrupt.hpp"
#include "kaon/runtime/archive/kind.hpp"
#include "kaon/runtime/archive/polymorphic.hpp"
#include "kaon/runtime/archive/shared_objects.hpp"

// unique_ptr, shared_ptr and weak_ptr: whether there is an object, or which, then what it holds. An object of a class
// with virtual functions is preceded by the number of its class, 0 for the class of the pointer itself.
namespace kaon::runtime::archive {

template <class T>
using Pointee = std::remove_const_t<typename T::element_type>;

/// True if objects of the pointer's own class can be made: X is not abstract and has a default constructor.
template <class X>
inline constexpr bool can_be_itself = !std::is_abstract_v<X> && std::is_default_constructible_v<X>;

/// The class of the object, or nullptr for X itself. Throws UsageError for one that is not listed.
template <class X>
const PolymorphicRecord* class_of(const X& object) {
  if constexpr (std::is_polymorphic_v<X>) {
    if (!can_be_itself<X> || typeid(object) != typeid(X)) return &polymorphic(&kBase<X>, typeid(object), typeid(X));
  }
  return nullptr;
}

template <class X, class Out>
void write_object(Out& out, const X& object) {
  if constexpr (std::is_polymorphic_v<X>) {
    const PolymorphicRecord* const record = class_of(object);
    out.write(record == nullptr ? std::uint32_t{0} : record->number);
    if (record != nullptr) return record->write(out, record->from_base(const_cast<X*>(&object)));
  }
  if constexpr (can_be_itself<X>) out.write(object);
}

/// The class that stands next in the bytes, or nullptr for X itself.
template <class X, class In>
const PolymorphicRecord* read_class(In& in) {
  if constexpr (std::is_polymorphic_v<X>) {
    std::uint32_t number = 0;
    in.read(number);
    if (!can_be_itself<X> || number != 0) return &polymorphic(&kBase<X>, number);
  }
  return nullptr;
}

template <class Out, class T>
void pack_unique(Out& out, const T& pointer) {
  out.write(pointer != nullptr);
  if (pointer != nullptr) write_object<Pointee<T>>(out, *pointer);
}

template <class In, class T>
void unpack_unique(In& in, T& pointer) {
  using X = Pointee<T>;
  bool is_there = false;
  in.read(is_there);
  if (!is_there) return pointer.reset();
  if (const PolymorphicRecord* const record = read_class<X>(in)) {
    std::unique_ptr<X> made(static_cast<X*>(record->make()));
    record->read(in, record->from_base(made.get()));
    pointer = std::move(made);
  } else if constexpr (can_be_itself<X>) {
    auto made = std::make_unique<X>();
    in.read(*made);
    pointer = std::move(made);
  }
}

template <class X>
const void* begin_of(const X* object) {
  if constexpr (std::is_polymorphic_v<X>)
    return dynamic_cast<const void*>(object);
  else
    return object;
}

template <class T>
auto locked(const T& pointer) {
  if constexpr (requires { pointer.lock(); })
    return pointer.lock();
  else
    return pointer;
}

template <class Out, class T>
void pack_shared(Out& out, const T& pointer) {
  using X = Pointee<T>;
  const auto held = locked(pointer);
  if (held == nullptr) return out.write(std::uint32_t{0});
  const X& object = *held;
  const auto place = out.shared_objects().add(begin_of(&object), typeid(object));
  out.write(place.number);
  if (place.is_new) write_object<X>(out, object);
}

template <class X>
std::shared_ptr<X> as_pointer(const ReadObjects::Object& object) {
  if (*object.type == typeid(X)) return std::static_pointer_cast<X>(object.whole);
  if constexpr (std::is_polymorphic_v<X>) {
    const PolymorphicRecord& record = polymorphic(&kBase<X>, *object.type, typeid(X));
    return std::shared_ptr<X>(object.whole, static_cast<X*>(record.to_base(object.whole.get())));
  } else {
    throw_value("a shared pointer to an object of another type");
  }
}

template <class X, class In>
void read_new_object(In& in) {
  ReadObjects& objects = in.shared_objects();
  if (const PolymorphicRecord* const record = read_class<X>(in)) {
    const std::shared_ptr<void> made = record->make_shared();
    objects.add({made, record->type});
    record->read(in, made.get());
  } else if constexpr (can_be_itself<X>) {
    const auto made = std::make_shared<X>();
    objects.add({made, &typeid(X)});
    in.read(*made);
  }
}

template <class In, class T>
void unpack_shared(In& in, T& pointer) {
  using X = Pointee<T>;
  std::uint32_t number = 0;
  in.read(number);
  if (number == 0) return pointer.reset();
  const std::size_t known = in.shared_objects().count();
  if (number > known + 1) throw_value("a shared pointer to an object that is not in it");
  if (number == known + 1) read_new_object<X>(in);
  pointer = as_pointer<X>(in.shared_objects()[number]);
}

template <class Out, class T>
void pack_pointer(Out& out, const T& pointer) {
  if constexpr (kind<T> == Kind::unique)
    pack_unique(out, pointer);
  else
    pack_shared(out, pointer);
}

template <class In, class T>
void unpack_pointer(In& in, T& pointer) {
  if constexpr (kind<T> == Kind::unique)
    unpack_unique(in, pointer);
  else
    unpack_shared(in, pointer);
}

}  // namespace kaon::runtime::archive
