// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string_view>
#include <type_traits>

#include "kaon/chares/elements/element_base.hpp"
#include "kaon/runtime/archive/archive.hpp"

namespace kaon::chares {

template <class C>
class Chare;

/// What the runtime knows of a class of chares, as an EntryRecord says what it knows of an entry. One object of static
/// storage a class; its address tells classes apart in messages from elsewhere.
struct ElementType {
  std::string_view name;
  void (*destroy)(ElementBase& element);
  // nullptr for a class that cannot move: it has no default constructor, or cannot be serialized
  void (*pack)(ElementBase& element, Writer& out);
  ElementBase& (*unpack)(Reader& in);  // makes it, in the Construction under way
};

/// Whether chares of this class can be made anew from bytes. It says itself how it is serialized: as a class with a
/// base it is not made of its members alone. (To have these counted in vain would cost a second of compile time.)
template <class C>
concept CanMove = std::is_default_constructible_v<C> && archive::kind<C> != archive::Kind::fields && Serializable<C>;

/// The chare that an element is.
template <class C>
C& chare_of(ElementBase& element) {
  return static_cast<C&>(static_cast<Chare<C>&>(element));
}

template <class C>
class ElementTypeOf {
  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static void destroy(ElementBase& element) { delete &chare_of<C>(element); }
  static void pack(ElementBase& element, Writer& out) { out(chare_of<C>(element)); }
  static ElementBase& unpack(Reader& in) {
    auto chare = std::make_unique<C>();
    in(*chare);
    return static_cast<Chare<C>&>(*chare.release());
  }
  static constexpr ElementType make() {
    if constexpr (CanMove<C>)
      return {name(), &destroy, &pack, &unpack};
    else
      return {name(), &destroy, nullptr, nullptr};
  }

 public:
  static inline const ElementType kType = make();
};

template <class C>
const ElementType& element_type() {
  return ElementTypeOf<C>::kType;
}

}  // namespace kaon::chares
