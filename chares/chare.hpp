// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "kaon/chares/collectives/callback_contribution.hpp"
#include "kaon/chares/collectives/contribution.hpp"
#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/entries/rest_wait.hpp"
#include "kaon/chares/lifecycle/insertion.hpp"
#include "kaon/chares/migration/departure.hpp"
#include "kaon/chares/migration/rebalance_wait.hpp"
#include "kaon/chares/proxy.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

/// Base of the classes whose objects live in arrays and groups:
///
///   class Block : public kaon::Chare<Block> { public: void entry(int step); ... };
///
/// Public members are its entries: methods, run when a message for them comes, and Inboxes. Entries of one chare run
/// one at a time; one that returns a Task gives way to others at each co_await, and only there.
///
/// `I` is the type of the indices of sparse arrays of such chares: an integer, Index, Coordinates<D>, or a class of the
/// program that has `std::uint64_t number() const`, different for each, and `static I from_number(std::uint64_t)`.
/// Arrays with a shape are indexed by Index, which is what `I` is then.
///
/// `static kaon::PeId place(const I& index, kaon::PeId pes)`, if the class has it, says on which PE an element is at
/// first: the same for the same arguments wherever it is called.
///
/// A class derived from one of chares is one too. Entries of the base are sent to by names of either class, and those
/// that are virtual are the derived one's. What it inherits of this one speaks of the base: self() is an Element of it.
/// With `class Tile : public kaon::Chare<Tile, kaon::Index, Block>`, which is derived from Block, all speaks of Tile.
template <class C, class I, class B>
class Chare : public B {
  static_assert(std::is_base_of_v<ElementBase, B>, "Chare<C, I, B>: B is a class of chares, from which C is derived");
  static_assert(chare_class::FamilyOf<C, B>::template has_index<I>, "Chare<C, I, B>: I is the index of B, of one type");
  static_assert(ArrayIndex<I>,
                "Chare<C, I>: I is an integer, kaon::Index, kaon::Coordinates<D>, or has number() and from_number()");

 public:
  using IndexType = I;
  using Family = typename chare_class::FamilyOf<C, B>::Type;
  using B::B;

  I index() const {
    const std::uint64_t number = table().number_of(*this);
    return table().is_sparse() ? IndexNumber<I>::index(number) : DenseIndex<I>::index(table().shape(), number);
  }
  /// The array that this chare is an element of, and this chare in it.
  Proxy<C> array() const { return Proxy<C>(table().id(), table().shape()); }
  Element<C> self() const { return Element<C>(table().id(), table().number_of(*this)); }
  /// The PE it is on.
  PeId pe() const { return table().pe().id(); }

  /// Combines a value of every element of the array: each calls this in the same order, and each gets the result of all
  /// by `co_await`. `op` is a type without state.
  template <class Op, class V>
  auto contribute(Op, V value) {
    return contribute_to<Op>(0, std::move(value));
  }
  /// The same among the members of a section, each of which calls this in the same order. Throws UsageError for an
  /// element that is no member.
  template <class S, class Op, class V>
  auto contribute(const Section<S>& section, Op, V value) {
    return contribute_to<Op>(contributors::check_section(table(), section.id(), section.number()), std::move(value));
  }
  /// The same without waiting: the result goes to what the callback names, once, and not to the elements, each of which
  /// names the same. A callback of nothing hears that all have contributed; one of several values gets those of a
  /// tuple.
  template <class Op, class V, class... T>
  void contribute(Op, V value, const Callback<T...>& to) {
    if constexpr (check_contribution<Op, V>() && check_callback<V, T...>())
      contribute_to_callback<Op>(Contributors(table(), 0), *this, std::move(value), to);
  }
  template <class S, class Op, class V, class... T>
  void contribute(const Section<S>& section, Op, V value, const Callback<T...>& to) {
    if constexpr (check_contribution<Op, V>() && check_callback<V, T...>())
      contribute_to_callback<Op>(
          Contributors(table(), contributors::check_section(table(), section.id(), section.number())), *this,
          std::move(value), to);
  }

  /// Moves this chare to another PE when the entry that runs now has ended and no other of its entries is suspended;
  /// messages behind it follow. Its class needs a default constructor and is serialized like an argument. Those that
  /// are bound to it, or that it is bound to, move with it, when all of them are at rest.
  void migrate_to(PeId pe) {
    static_assert(std::is_default_constructible_v<C>,
                  "migrate_to: the class needs a default constructor, to be made anew where it goes");
    static_cast<void>(require_serializable<C, ClassToMigrate>());
    Departure::to_pe(table(), *this, pe);
  }

  /// A point of rest for a coroutine: `co_await at_rest<&Block::iterate>()` goes on at once, unless migrate_to() was
  /// called. Then, when no other entry is suspended, the chare moves, the coroutine ends here, and the named entry is
  /// started with these arguments on the new PE; who awaits the result of the one gets that of the other. Throws
  /// UsageError in a task that is no entry of this chare, beside others in all() or any(), and when the named entry
  /// gives another type of result than the one that is awaited.
  template <auto E, class... A>
  auto at_rest(A&&... arguments) {
    if constexpr (check_continuation<E, A...>()) return rest_wait<RestWait<E, C>>(std::forward<A>(arguments)...);
  }

  /// A point of rest at which all elements of the array wait for each other while its strategy deals them to the PEs
  /// anew (see Runtime::balance); it goes on, as at_rest does, when all are where they are to be. Throws what at_rest
  /// throws, and UsageError when the array is not balanced or its strategy has failed.
  template <auto E, class... A>
  auto rebalance(A&&... arguments) {
    if constexpr (check_continuation<E, A...>()) return rest_wait<RebalanceWait<E, C>>(std::forward<A>(arguments)...);
  }
  /// The same for entries that are no coroutines: returns at once, and the entry is run with these arguments when the
  /// step is over.
  template <auto E, class... A>
  void rebalance_then(A&&... arguments) {
    if constexpr (check_continuation<E, A...>()) {
      Message& message = Entry<E, C>::make(table().pe(), std::forward<A>(arguments)...);
      message.collection = table().id();
      message.element = table().number_of(*this);
      wait_at_barrier(table(), message);
    }
  }
  /// Seconds that this chare took elsewhere, on a device say, for its strategy. Nothing when it is not balanced.
  void add_load(double seconds) { note_load(table(), *this, seconds); }
  /// Bytes that this chare sends to another of its array, for strategies that look at that.
  void add_traffic(const Element<C>& to, double bytes) { note_traffic(table(), *this, to.number(), bytes); }

  /// Deletes this chare when the entry that runs now has ended and no payload is on its way into its memory, until
  /// which it runs what comes; entries that are suspended end with it. What is sent to an element of a dense array from
  /// then on is dropped, and a call that waits for its result gets a UsageError; of a sparse array it waits for the
  /// next element of this index. Of a chare that is in no array nobody remembers that it was there: what is sent to it
  /// is an error, when the run stands still for it or ends.
  void destroy() { Departure::to_end(table(), *this); }

 protected:
  Chare() = default;
  ~Chare() = default;

 private:
  friend class Runtime;

  /// The entries by which create_bound() has an element of another array made beside each of this one, which has a
  /// shape, or is sparse: then the home of the new one knows of it before it is there, as of all that are inserted.
  template <class D, class... A>
  void make_mate(CollectionId bound, A... arguments);
  template <class D, class... A>
  Task<> insert_mate(CollectionId bound, A... arguments);

  template <auto E, class... A>
  static constexpr bool check_continuation() {
    static_assert(std::is_default_constructible_v<C>,
                  "a point of rest: the class needs a default constructor, to be made anew where it goes");
    static_cast<void>(require_serializable<C, ClassToMigrate>());
    if constexpr (proxy::check_send<E, C, A...>()) {
      constexpr bool kIsInbox = EntryTraits<decltype(E)>::is_inbox;
      static_assert(!kIsInbox, "a point of rest names an Inbox: name the entry that goes on where the chare is then");
      if constexpr (!kIsInbox) return proxy::check_result<E>();
    }
    return false;
  }
  template <class Wait, class... A>
  Awaitable<Wait> rest_wait(A&&... arguments) {
    return Awaitable<Wait>(static_cast<ElementBase&>(*this), std::forward<A>(arguments)...);
  }

  template <class Op, class V>
  auto contribute_to(std::uint32_t section, V value) {
    constexpr bool kCopies = std::is_copy_constructible_v<V>;
    static_assert(kCopies, "contribute(op, value): every element gets a copy of the result");
    if constexpr (check_contribution<Op, V>() && kCopies)
      return Contribution<V, Op>(Contributors(table(), section), *this, std::move(value));
  }
  template <class Op, class V>
  static constexpr bool check_contribution() {
    constexpr bool kTravels = require_received<V, ValueToContribute>();
    constexpr bool kCombines = std::is_invocable_r_v<V, Op, V, V>;
    static_assert(kCombines,
                  "contribute(op, value): op does not combine two such values; kaon::sum, product, min and max combine "
                  "numbers, and vectors and arrays of them element by element");
    static_assert(std::is_empty_v<Op>, "contribute(op, value): op has state, which other PEs do not have");
    return kTravels && kCombines && std::is_empty_v<Op>;
  }
  template <class V, class... T>
  static constexpr bool check_callback() {
    constexpr bool kFits = contributors::fits<V, T...>;
    static_assert(kFits, "contribute(op, value, callback): the callback does not take such a value");
    return kFits;
  }

  ElementTable& table() const { return ElementAccess::table(*this); }
};

template <class C, class I, class B>
template <class D, class... A>
void Chare<C, I, B>::make_mate(CollectionId bound, A... arguments) {
  ElementTable& mates = proxy::table_of(table().pe(), bound);
  const std::uint64_t number = table().number_of(*this);
  std::unique_ptr<D> made;
  {
    const ElementBase::Construction construction(position_in(mates, number, 0));
    made = std::make_unique<D>(std::move(arguments)...);
  }
  mates.adopt(*made.release());
  bonds::note_made(mates, number);
}

template <class C, class I, class B>
template <class D, class... A>
Task<> Chare<C, I, B>::insert_mate(CollectionId bound, A... arguments) {
  co_await Element<D>(bound, table().number_of(*this)).insert_and_wait(std::move(arguments)...);
}

}  // namespace kaon::chares
