// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string_view>
#include <type_traits>

#include "kaon/chares/elements/dense_index.hpp"
#include "kaon/chares/elements/element_base.hpp"
#include "kaon/chares/elements/index_number.hpp"
#include "kaon/runtime/archive/archive.hpp"

namespace kaon::chares {

template <class C, class I = Index, class B = ElementBase>
class Chare;

namespace chare_class {

/// The family of a class C with the base Chare<C, I, B>: the class at the root of its chain of chare bases.
template <class C, class B>
struct FamilyOf {
  using Type = typename B::Family;
  template <class I>
  static constexpr bool has_index = std::is_same_v<I, typename B::IndexType>;
};
template <class C>
struct FamilyOf<C, ElementBase> {
  using Type = C;
  template <class>
  static constexpr bool has_index = true;
};

}  // namespace chare_class

/// Properties of a class of chares that the runtime needs, as an EntryRecord has those of an entry. Each class has one
/// object of static storage, whose address identifies the class in messages from elsewhere.
struct ElementType {
  std::string_view name;
  void (*destroy)(ElementBase& element);
  // nullptr for a class that cannot move: it has no default constructor, or cannot be serialized
  void (*pack)(ElementBase& element, Writer& out);
  ElementBase& (*unpack)(Reader& in);                        // makes it, in the Construction under way
  void (*say_index)(std::uint64_t number, ShortText& text);  // of a sparse array
  /// The PE that an element is at home on, where the class says so itself; else nullptr. `index` is linear, or of a
  /// sparse array (Shape::sparse()) the number.
  PeId (*place)(std::uint64_t index, Shape shape, PeId pes);
  // Of the class that this one and others are derived from, or its own. Messages name it as the class of their chares:
  // an entry of a base may be sent to chares of all classes derived from it.
  const ElementType* family;
};

/// True if chares of this class can be made anew from bytes. The class must define how it is serialized, since a class
/// with a base has more than its members. (Counting these in vain would cost a second of compile time.)
template <class C>
concept CanMove = std::is_default_constructible_v<C> && archive::kind<C> != archive::Kind::fields && Serializable<C>;

/// The chare that an element is.
template <class C>
C& chare_of(ElementBase& element) {
  return static_cast<C&>(element);
}

/// Says in a sentence why chares cannot be of class C. A class, as g++ 14 checks what a function asserts only after the
/// assertions behind its call.
template <class C>
struct ChareClass {
  static constexpr bool kIsOne = std::is_convertible_v<C*, ElementBase*>;
  static_assert(kIsOne,
                "a class of chares has one class of chares as its base, publicly: take entries of a second one from a "
                "mixin, a class that is no chare or that has the chare as its template argument's base");
  static constexpr bool kIsFound = !kIsOne || requires(ElementBase& element) { static_cast<C&>(element); };
  static_assert(kIsFound, "a class of chares has kaon::Chare as a virtual base: derive from it without `virtual`");
  static_assert(!kIsOne || !std::is_abstract_v<C>,
                "a class of chares that is to be made has pure virtual functions: make one that defines them");
  static constexpr bool kIsOfItself = !kIsOne || requires { requires std::is_base_of_v<typename C::Family, C>; };
  static_assert(kIsOfItself, "class C : public kaon::Chare<D>: the argument is to be the class itself, Chare<C>");
  static constexpr bool kIs = kIsOne && kIsFound && kIsOfItself && !std::is_abstract_v<C>;
};

/// True if the class maps its elements to PEs itself: static kaon::PeId place(const I& index, kaon::PeId pes).
template <class C>
concept PlacesItself = requires(const typename C::IndexType index, PeId pes) {
  { C::place(index, pes) } -> std::convertible_to<PeId>;
};
/// Throws UsageError.
[[noreturn]] void throw_misplaced(std::string_view type, PeId pe, PeId pes);

template <class C>
class ElementTypeOf {
  using I = typename C::IndexType;
  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static void destroy(ElementBase& element) { std::default_delete<C>{}(&chare_of<C>(element)); }  // of a C, exactly
  static void pack(ElementBase& element, Writer& out) { out(chare_of<C>(element)); }
  static ElementBase& unpack(Reader& in) {
    auto chare = std::make_unique<C>();
    in(*chare);
    return *chare.release();
  }
  static PeId place(std::uint64_t index, Shape shape, PeId pes) {
    const I at = shape.is_sparse() ? IndexNumber<I>::index(index) : DenseIndex<I>::index(shape, index);
    const PeId pe = C::place(at, pes);
    if (pe >= pes) throw_misplaced(name(), pe, pes);
    return pe;
  }
  static constexpr const ElementType* family() {
    if constexpr (std::is_same_v<typename C::Family, C>)
      return &kType;
    else
      return &ElementTypeOf<typename C::Family>::kType;
  }
  static constexpr ElementType make() {
    ElementType made{name(), &destroy, nullptr, nullptr, &IndexNumber<I>::say, nullptr, family()};
    if constexpr (CanMove<C>) {
      made.pack = &pack;
      made.unpack = &unpack;
    }
    if constexpr (PlacesItself<C>) made.place = &place;
    return made;
  }

 public:
  static const ElementType kType;
};
template <class C>
inline const ElementType ElementTypeOf<C>::kType = make();

template <class C>
const ElementType& element_type() {
  return ElementTypeOf<C>::kType;
}
/// By which messages tell the class of their chares.
template <class C>
const ElementType& element_family() {
  return ElementTypeOf<typename C::Family>::kType;
}

}  // namespace kaon::chares
