// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string_view>
#include <type_traits>

#include "kaon/chares/elements/element_base.hpp"
#include "kaon/chares/elements/index_number.hpp"
#include "kaon/runtime/archive/archive.hpp"

namespace kaon::chares {

template <class C, class I = Index>
class Chare;

/// What the runtime knows of a class of chares, as an EntryRecord says what it knows of an entry. One object of static
/// storage a class; its address tells classes apart in messages from elsewhere.
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
};

/// Whether chares of this class can be made anew from bytes. It says itself how it is serialized: as a class with a
/// base it is not made of its members alone. (To have these counted in vain would cost a second of compile time.)
template <class C>
concept CanMove = std::is_default_constructible_v<C> && archive::kind<C> != archive::Kind::fields && Serializable<C>;

/// The chare that an element is.
template <class C>
C& chare_of(ElementBase& element) {
  return static_cast<C&>(static_cast<Chare<C, typename C::IndexType>&>(element));
}

/// Whether a class deals its elements to the PEs itself: static kaon::PeId place(const I& index, kaon::PeId pes).
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
  static void destroy(ElementBase& element) { delete &chare_of<C>(element); }
  static void pack(ElementBase& element, Writer& out) { out(chare_of<C>(element)); }
  static ElementBase& unpack(Reader& in) {
    auto chare = std::make_unique<C>();
    in(*chare);
    return static_cast<Chare<C, I>&>(*chare.release());
  }
  static PeId place(std::uint64_t index, [[maybe_unused]] Shape shape, PeId pes) {
    PeId pe;
    if constexpr (std::is_same_v<I, Index>)
      pe = C::place(shape.is_sparse() ? IndexNumber<I>::index(index) : shape.index(index), pes);
    else
      pe = C::place(IndexNumber<I>::index(index), pes);
    if (pe >= pes) throw_misplaced(name(), pe, pes);
    return pe;
  }
  static constexpr ElementType make() {
    ElementType made{name(), &destroy, nullptr, nullptr, &IndexNumber<I>::say, nullptr};
    if constexpr (CanMove<C>) {
      made.pack = &pack;
      made.unpack = &unpack;
    }
    if constexpr (PlacesItself<C>) made.place = &place;
    return made;
  }

 public:
  static inline const ElementType kType = make();
};

template <class C>
const ElementType& element_type() {
  return ElementTypeOf<C>::kType;
}

}  // namespace kaon::chares
