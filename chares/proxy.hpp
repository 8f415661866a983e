// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <type_traits>
#include <utility>

#include "kaon/chares/collectives/broadcast.hpp"
#include "kaon/chares/elements/destruction.hpp"
#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/elements/index.hpp"
#include "kaon/chares/entry.hpp"
#include "kaon/chares/waits/call.hpp"
#include "kaon/chares/waits/room.hpp"

namespace kaon::chares {

/// As below, and also for a proxy that names nothing.
[[noreturn]] void throw_outside(CollectionId id, Index index, Shape shape);

namespace proxy {

Pe& calling_pe();
/// Throws UsageError for a proxy that was made by default.
void check_named(CollectionId id);
/// As check_named, and for one whose array was destroyed.
void check_usable(Pe& pe, CollectionId id);
/// The PE of this thread, and that to send to for an element. An element whose array this PE has yet to make is this
/// PE's: the message waits here. Throws as calling_pe and check_usable do.
struct Way {
  Pe& pe;
  PeId to;
};
Way way_to(CollectionId id, std::uint64_t element);
[[noreturn]] void throw_no_local_member();
/// The collection on this PE. Throws UsageError when it has yet to be made here.
ElementTable& table_of(Pe& pe, CollectionId id);

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
  return require_serializable<ValueOf<typename EntryTraits<decltype(E)>::Result>, ResultOfEntry<E>>();
}

}  // namespace proxy

/// One element of an array: a name of two words, to be copied, kept and sent. Any PE may use it.
template <class C>
class Element {
 public:
  Element() = default;
  Element(CollectionId collection, std::uint64_t element) : collection_(collection), element_(element) {}

  /// The same element; what is sent through the result is run before (negative) or after (positive) other messages
  /// that wait on its PE.
  Element with_priority(std::int32_t priority) const {
    Element other = *this;
    other.priority_ = priority;
    return other;
  }

  /// Runs an entry of the element, later, wherever it is. Arguments are values; an rvalue is moved.
  template <auto E, class... A>
  void send(A&&... arguments) const {
    if constexpr (proxy::check_send<E, C, A...>()) {
      const auto [pe, to] = proxy::way_to(collection_, element_);
      pe.route(make<E>(pe, std::forward<A>(arguments)...), to);
    }
  }

  /// As send; `co_await` gives the entry's result.
  template <auto E, class... A>
  auto call(A&&... arguments) const {
    if constexpr (proxy::check_send<E, C, A...>() && proxy::check_result<E>()) {
      using Value = typename Entry<E, C>::Value;
      using Result = std::conditional_t<std::is_same_v<Value, Nothing>, void, Value>;
      const auto [pe, to] = proxy::way_to(collection_, element_);
      return Call<Value, Result>(pe, make<E>(pe, std::forward<A>(arguments)...), to);
    }
  }

  /// `co_await to.ready()`: waits while the element's PE has not taken what was sent to it before, so that a slow
  /// receiver slows its senders instead of filling its memory and theirs.
  Awaitable<RoomWait> ready() const {
    const auto [pe, to] = proxy::way_to(collection_, element_);
    return Awaitable<RoomWait>(pe, to);
  }

  Index index() const { return proxy::table_of(proxy::calling_pe(), collection_).shape().index(element_); }

  template <class Archive>
  void pup(Archive& archive) {
    archive(collection_, element_, priority_);
  }

 private:
  template <auto E, class... A>
  Message& make(Pe& pe, A&&... arguments) const {
    Message& message = Entry<E, C>::make(pe, std::forward<A>(arguments)...);
    message.collection = collection_;
    message.element = element_;
    message.priority = priority_;
    return message;
  }

  CollectionId collection_ = kNoCollection;
  std::int32_t priority_ = 0;
  std::uint64_t element_ = 0;
};

/// An array of chares: a name of two words, to be copied, kept and sent. Any PE may use it, also one that has yet to
/// hear of the array: what is sent then waits there until its part of the array is made.
template <class C>
class Proxy {
 public:
  Proxy() = default;
  Proxy(CollectionId collection, Shape shape) : collection_(collection), shape_(shape) {}

  /// Throws UsageError for an index outside the array.
  Element<C> operator[](Index index) const {
    if (!shape_.contains(index)) [[unlikely]]
      throw_outside(collection_, index, shape_);
    return Element<C>(collection_, shape_.linear(index));
  }

  Shape shape() const { return shape_; }

  /// Runs an entry of every element with copies of the arguments. An element that moves while the broadcast is under
  /// way may get it twice or not at all.
  template <auto E, class... A>
  void broadcast(A&&... arguments) const {
    if constexpr (proxy::check_send<E, C, A...>() && proxy::check_broadcast<E>()) {
      Pe& pe = usable_pe();
      Message& message = Entry<E, C>::make(pe, std::forward<A>(arguments)...);
      message.flags |= kBroadcastMessage;
      pe.route(addressed(message, pe), pe.id());
    }
  }

  /// Runs an entry of every element; `co_await` gives their results combined by `op`, in any order. `op` is a type
  /// without state, like kaon::max.
  template <auto E, class Op, class... A>
  auto call_all(Op, A&&... arguments) const {
    if constexpr (proxy::check_send<E, C, A...>() && proxy::check_broadcast<E>() && proxy::check_result<E>()) {
      using Value = typename Entry<E, C>::Value;
      static_assert(
          std::is_invocable_r_v<Value, Op, Value, Value>,
          "call_all<&Chare::entry>(op, ...): op does not combine two results of the entry; kaon::sum, product, "
          "min and max combine numbers, and vectors and arrays of them element by element");
      static_assert(std::is_empty_v<Op>, "call_all<&Chare::entry>(op, ...): op has state, which other PEs do not have");
      if constexpr (std::is_invocable_r_v<Value, Op, Value, Value> && std::is_empty_v<Op>)
        return combined<E, Op, Value, Value>(std::forward<A>(arguments)...);
    }
  }

  /// Runs an entry of every element; `co_await` ends when all have ended.
  template <auto E, class... A>
  auto call_all_and_wait(A&&... arguments) const {
    if constexpr (proxy::check_send<E, C, A...>() && proxy::check_broadcast<E>()) {
      static_assert(!EntryTraits<decltype(E)>::is_inbox,
                    "call_all_and_wait<&Chare::inbox>: broadcast to an Inbox instead");
      static_assert(std::is_same_v<typename Entry<E, C>::Value, Nothing>,
                    "this entry has a result: say how to combine it, call_all<&Chare::entry>(op, ...)");
      return combined<E, KeepFirst, Nothing, void>(std::forward<A>(arguments)...);
    }
  }

  /// Destroys the array: each element goes when its entry that runs now has ended, and entries that are suspended end
  /// with it. What is under way to it is dropped, and who awaits a result of it gets a UsageError. A proxy used when it
  /// is gone throws UsageError.
  void destroy() const {
    Pe& pe = usable_pe();
    pe.route(destruction::make(pe, collection_), destruction::kRoot);
  }
  /// As destroy; `co_await` ends when all of it is gone on all PEs.
  [[nodiscard]] destruction::Done destroy_and_wait() const {
    Pe& pe = usable_pe();
    return destruction::Done(pe, destruction::make(pe, collection_), destruction::kRoot);
  }

  CollectionId id() const { return collection_; }

  template <class Archive>
  void pup(Archive& archive) {
    archive(collection_, shape_);
  }

 private:
  template <auto E, class Op, class Value, class Result, class... A>
  auto combined(A&&... arguments) const {
    Pe& pe = usable_pe();
    Message& message = CallAll<E, C, Op>::make(pe, std::forward<A>(arguments)...);
    return Call<Partial<Value>, Result>(pe, addressed(message, pe), pe.id());
  }

  Pe& usable_pe() const {
    Pe& pe = proxy::calling_pe();
    proxy::check_usable(pe, collection_);
    return pe;
  }

  Message& addressed(Message& message, Pe& pe) const {
    message.collection = collection_;
    message.element = pe.id();  // the root of the tree
    return message;
  }

  CollectionId collection_ = kNoCollection;
  Shape shape_{0};
};

/// One chare on each PE; indexed by PE.
template <class C>
class Group : public Proxy<C> {
 public:
  using serialized_whole = Group;
  using Proxy<C>::Proxy;
  /// The member on the calling PE: an ordinary object there. Throws UsageError when it was deleted, or is not made yet.
  C& local() const {
    Pe& pe = proxy::calling_pe();
    ElementBase* member = proxy::table_of(pe, this->id()).find(pe.id());
    if (member == nullptr) proxy::throw_no_local_member();
    return chare_of<C>(*member);
  }
};

/// kaon::send<&Block::run>(to, ...): the same as to.send, without `template` where `to` depends on a parameter.
template <auto E, class C, class... A>
void send(const Element<C>& to, A&&... arguments) {
  to.template send<E>(std::forward<A>(arguments)...);
}

}  // namespace kaon::chares
