// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <typeinfo>

#include "kaon/runtime/archive/check.hpp"

// Classes whose objects are sent by a pointer to a base of theirs.
namespace kaon::runtime {

class Writer;
class Reader;

namespace archive {

/// Describes a class D as one derived from a base B. An `object` is a pointer to the whole object, as a D.
struct PolymorphicRecord {
  std::string_view name;
  const char* base;
  const std::type_info* type;
  void (*write)(Writer& out, const void* object);
  void (*read)(Reader& in, void* object);
  void* (*make)();  // gives a pointer to the B in it
  std::shared_ptr<void> (*make_shared)();
  void* (*to_base)(void* object);
  void* (*from_base)(void* base_of_object);
  const PolymorphicRecord* next = nullptr;
  mutable std::uint32_t number = 0;  // equal in all processes; 0 is for B itself
};

template <class B>
inline constexpr char kBase = 0;  // its address tells bases apart

/// Adds a record to the list. Before main only.
void enlist(PolymorphicRecord& record) noexcept;
/// The record for objects of the type. Throws UsageError when there is none.
const PolymorphicRecord& polymorphic(const char* base, const std::type_info& type, const std::type_info& base_type);
/// The record with the number, of the base. Throws CorruptMessage when there is none.
const PolymorphicRecord& polymorphic(const char* base, std::uint32_t number);

template <class B, class D>
class PolymorphicEntry {
  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  template <class Out>
  static void write_to(Out& out, const void* object) {
    out.write(*static_cast<const D*>(object));
  }
  template <class In>
  static void read_from(In& in, void* object) {
    in.read(*static_cast<D*>(object));
  }
  static void* make() { return static_cast<B*>(new D()); }
  static std::shared_ptr<void> make_shared() { return std::make_shared<D>(); }
  static void* to_base(void* object) { return static_cast<B*>(static_cast<D*>(object)); }
  static void* from_base(void* base) { return dynamic_cast<D*>(static_cast<B*>(base)); }

  static inline PolymorphicRecord record_{name(), &kBase<B>,    &typeid(D), &write_to<Writer>, &read_from<Reader>,
                                          &make,  &make_shared, &to_base,   &from_base};

 public:
  static inline const bool kIsListed = (enlist(record_), true);
};

}  // namespace archive

/// Objects of the class D that are sent as std::unique_ptr<B> or std::shared_ptr<B> arrive as what they are:
///
///   inline const kaon::PolymorphicType<Shape, Circle> circle;     // in the header of Circle
///
/// D has a default constructor and says, as every argument, how it is serialized: often by a pup that begins with its
/// base's. B itself needs no such line.
template <class B, class D>
class PolymorphicType {
 public:
  PolymorphicType() noexcept {
    static_assert(std::is_polymorphic_v<B> && std::is_base_of_v<B, D>,
                  "PolymorphicType<B, D>: B has virtual functions, and D is derived from it");
    static_assert(std::has_virtual_destructor_v<B>, "PolymorphicType<B, D>: give B a virtual destructor");
    static_assert(std::is_default_constructible_v<D>,
                  "PolymorphicType<B, D>: an object is read into a new one: give D a default constructor");
    if constexpr (require_serializable<D>()) static_cast<void>(archive::PolymorphicEntry<B, D>::kIsListed);
  }
};

}  // namespace kaon::runtime
