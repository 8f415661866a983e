// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <type_traits>
#include <utility>

#include "kaon/chares/elements/destination.hpp"
#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/elements/index.hpp"
#include "kaon/chares/elements/index_number.hpp"
#include "kaon/chares/entries/entry.hpp"
#include "kaon/chares/entries/entry_properties.hpp"
#include "kaon/chares/sending/aggregated_entry.hpp"
#include "kaon/chares/sending/ordered_entry.hpp"
#include "kaon/chares/sending/prioritized_entry.hpp"
#include "kaon/chares/waits/call.hpp"
#include "kaon/chares/waits/room.hpp"

namespace kaon::chares {

template <class C, class... Args>
class Insertion;  // lifecycle/insertion.hpp
template <class C>
class ElementByBits;

/// Throws UsageError for an index outside the array, and also for a proxy that names nothing.
[[noreturn]] void throw_outside(CollectionId id, const std::string& index, Shape shape);

namespace proxy {

[[noreturn]] void throw_no_local_member();
[[noreturn]] void throw_no_member_of_process();
[[noreturn]] void throw_other_index();

template <auto E, class C, class... A>
constexpr bool check_send() {
  constexpr bool kIsMember = std::is_member_pointer_v<decltype(E)>;
  static_assert(kIsMember, "send<&Chare::entry>: a static member is no entry: name a method or an inbox of the chare");
  constexpr bool kIsEntry = is_entry_of<E, C>;
  static_assert(kIsEntry || !kIsMember, "send<&Chare::entry>: this entry belongs to another chare class");
  if constexpr (kIsEntry) {
    constexpr bool kAccepts = accepts<E, A...>;
    static_assert(kAccepts, "send<&Chare::entry>(...): these arguments do not convert to the parameters of the entry");
    using Arguments = typename EntryTraits<decltype(E)>::Arguments;
    constexpr bool kTravels = require_serializable_arguments<ParameterOf<E>>(
        std::type_identity<Arguments>{}, std::make_index_sequence<std::tuple_size_v<Arguments>>{});
    return kAccepts && kTravels;
  }
  return false;
}

template <auto E>
constexpr bool check_broadcast() {
  constexpr bool kCopies = are_copyable<typename EntryTraits<decltype(E)>::Arguments>;
  static_assert(kCopies, "a broadcast gives every element a copy of the arguments, and one of these cannot be copied");
  return kCopies;
}

template <auto E>
constexpr bool check_result() {
  static_assert(
      !EntryTraits<decltype(E)>::is_inbox,
      "call<&Chare::inbox>: an Inbox gives no result to wait for; send to it, or call an entry that takes from it");
  return require_received<ValueOf<typename EntryTraits<decltype(E)>::Result>, ResultOfEntry<E>>();
}

}  // namespace proxy

/// True if a name of a chare of class D is also a name of a chare of class C: D is derived from C.
template <class D, class C>
inline constexpr bool is_derived_chare = !std::is_same_v<D, C> && std::is_base_of_v<C, D>;

/// One element of an array: a name of two words, to be copied, kept and sent. Any PE may use it.
template <class C>
class Element {
 public:
  Element() = default;
  Element(CollectionId collection, std::uint64_t element) : collection_(collection), element_(element) {}
  /// Converts from an element of a derived class.
  template <class D>
    requires is_derived_chare<D, C>
  Element(const Element<D>& other) : Element(other.collection(), other.number()) {  // NOLINT: as pointers convert
    priority_ = other.priority();
  }

  /// The same element; what is sent through the result is run before (negative) or after (positive) other messages
  /// that wait on its PE.
  Element with_priority(std::int32_t priority) const {
    Element other = *this;
    other.priority_ = priority;
    return other;
  }
  /// The same by bits, as a search needs them: what is sent through the result waits behind messages without a
  /// priority, and among its like for those whose bits come first.
  ElementByBits<C> with_priority(BitPriority priority) const { return {*this, std::move(priority)}; }
  std::int32_t priority() const { return priority_; }
  /// The array that it is an element of.
  CollectionId collection() const { return collection_; }

  /// Runs an entry of the element, later, wherever it is. Arguments are values; an rvalue is moved.
  template <auto E, class... A>
  void send(A&&... arguments) const {
    if constexpr (proxy::check_send<E, C, A...>()) {
      const auto [pe, to] = proxy::destination_of(collection_, element_);
      if constexpr (is_aggregated<E, C>)
        if (to != pe.id() && priority_ == 0) return send_together<E>(pe, to, std::forward<A>(arguments)...);
      Message& message = Own<E>::make_for(pe, collection_, element_, std::forward<A>(arguments)...);
      message.priority = priority_;
      pe.route(message, to);
    }
  }

  /// Same as send(), but `co_await` gives the entry's result.
  template <auto E, class... A>
  auto call(A&&... arguments) const {
    if constexpr (proxy::check_send<E, C, A...>() && proxy::check_result<E>()) {
      const auto [pe, to] = proxy::destination_of(collection_, element_);
      Message& message = Own<E>::make_call(pe, collection_, element_, std::forward<A>(arguments)...);
      message.priority = priority_;
      return CallOf<E>(pe, message, to, Own<E>::send_of_call());
    }
  }

  /// `co_await to.ready()`: waits while the element's PE has not taken what was sent to it before, so that a slow
  /// receiver slows its senders instead of filling its memory and theirs.
  Awaitable<RoomWait> ready() const {
    const auto [pe, to] = proxy::destination_of(collection_, element_);
    return Awaitable<RoomWait>(pe, to);
  }

  /// Inserts the element into its sparse array, made with these arguments on the PE that is its home. Messages for it
  /// may be sent before. An insertion of an element that is there ends the run with a UsageError.
  template <class... A>
  void insert(A&&... arguments) const {
    insert_on(kAnyPe, std::forward<A>(arguments)...);
  }
  /// Same as insert(), but makes the element on PE `pe`.
  template <class... A>
  void insert_on(PeId pe, A&&... arguments) const {
    if constexpr (check_insert<A...>()) {
      Pe& here = proxy::home_of(collection_, element_).pe;
      Inserting<A...>::send(Inserting<A...>::make(here, collection_, element_, pe, std::forward<A>(arguments)...),
                            here);
    }
  }
  /// Same as insert(), but `co_await` ends when the element is there. It throws what the constructor threw, or
  /// UsageError if the element exists already.
  template <class... A>
  auto insert_and_wait(A&&... arguments) const {
    return insert_on_and_wait(kAnyPe, std::forward<A>(arguments)...);
  }
  template <class... A>
  auto insert_on_and_wait(PeId pe, A&&... arguments) const {
    if constexpr (check_insert<A...>()) {
      const auto [here, to] = proxy::home_of(collection_, element_);
      Message& message = Inserting<A...>::make(here, collection_, element_, pe, std::forward<A>(arguments)...);
      return typename Inserting<A...>::Done(here, message, to, &Inserting<A...>::send);
    }
  }

  /// The element itself if it is on the calling PE, which may use it until its entry returns or waits; else nullptr.
  /// Elements of arrays that are bound to each other (Runtime::create_bound) find each other so. An entry of it that is
  /// called as a function runs at once, as a part of the caller's. Throws UsageError when the array is not known here.
  C* local() const {
    ElementBase* const element = proxy::table_of(proxy::calling_pe(), collection_).find(element_);
    return element != nullptr ? &chare_of<C>(*element) : nullptr;
  }

  auto index() const {
    using I = typename C::IndexType;
    if constexpr (DenseIndex<I>::kNeedsShape) {
      const Shape& shape = proxy::table_of(proxy::calling_pe(), collection_).shape();
      if (!shape.is_sparse()) return DenseIndex<I>::index(shape, element_);
    }
    return IndexNumber<I>::index(element_);
  }

  /// The number that the runtime uses for its index: linear in an array with a shape.
  std::uint64_t number() const { return element_; }

  template <class Archive>
  void pup(Archive& archive) {
    archive(collection_, element_, priority_);
  }

 private:
  static constexpr PeId kAnyPe = ~PeId{0};

  template <class... A>
  using Inserting = Insertion<C, std::decay_t<A>...>;

  template <class... A>
  static constexpr bool check_insert() {
    constexpr bool kMakes = std::is_constructible_v<C, std::decay_t<A>&&...>;
    static_assert(kMakes, "insert(...): the chare has no constructor for these arguments");
    if constexpr (kMakes)
      return require_serializable_arguments<ConstructorArgumentOf<C>>(
          std::type_identity<std::tuple<std::decay_t<A>...>>{}, std::index_sequence_for<A...>{});
    return false;
  }

  friend class ElementByBits<C>;
  template <auto E>
  using Own = std::conditional_t<is_ordered<E, C>, OrderedEntry<E, C>, Entry<E, C>>;
  template <auto E>
  using CallOf = std::conditional_t<std::is_same_v<typename Entry<E, C>::Value, Nothing>, Call<Nothing, void>,
                                    Call<typename Entry<E, C>::Value, typename Entry<E, C>::Value>>;

  template <auto E, class... A>
  void send_together(Pe& pe, PeId to, A&&... arguments) const {
    AggregatedEntry<E, C, Own<E>>::send(proxy::table_of(pe, collection_), to, element_,
                                        Own<E>::arguments(std::forward<A>(arguments)...));
  }

  CollectionId collection_ = kNoCollection;
  std::int32_t priority_ = 0;
  std::uint64_t element_ = 0;
};

/// An element, as messages get to it that have a priority of bits.
template <class C>
class ElementByBits {
 public:
  ElementByBits(const Element<C>& element, BitPriority priority) : element_(element), priority_(std::move(priority)) {}

  /// Same as send() and call() of Element, with the priority of bits.
  template <auto E, class... A>
  void send(A&&... arguments) const {
    if constexpr (proxy::check_send<E, C, A...>()) {
      const auto [pe, to] = proxy::destination_of(element_.collection_, element_.element_);
      pe.route(
          ByBits<E>::make_for(pe, element_.collection_, element_.element_, priority_, std::forward<A>(arguments)...),
          to);
    }
  }
  template <auto E, class... A>
  auto call(A&&... arguments) const {
    if constexpr (proxy::check_send<E, C, A...>() && proxy::check_result<E>()) {
      const auto [pe, to] = proxy::destination_of(element_.collection_, element_.element_);
      Message& message =
          ByBits<E>::make_call(pe, element_.collection_, element_.element_, priority_, std::forward<A>(arguments)...);
      return typename Element<C>::template CallOf<E>(pe, message, to, ByBits<E>::send_of_call());
    }
  }

 private:
  template <auto E>
  using ByBits = PrioritizedEntry<E, C, typename Element<C>::template Own<E>>;

  Element<C> element_;
  BitPriority priority_;
};

/// kaon::send<&Block::run>(to, ...): the same as to.send, without `template` where `to` depends on a parameter.
template <auto E, class C, class... A>
void send(const Element<C>& to, A&&... arguments) {
  to.template send<E>(std::forward<A>(arguments)...);
}

}  // namespace kaon::chares
