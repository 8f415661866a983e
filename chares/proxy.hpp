// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <type_traits>
#include <utility>

#include "kaon/chares/collectives/broadcast.hpp"
#include "kaon/chares/element.hpp"
#include "kaon/chares/elements/destruction.hpp"
#include "kaon/chares/elements/index.hpp"
#include "kaon/chares/elements/index_number.hpp"
#include "kaon/chares/waits/call.hpp"

namespace kaon::chares {

/// An array of chares: a name of two words, to be copied, kept and sent. Any PE may use it, also one that has yet to
/// hear of the array: what is sent then waits there until its part of the array is made.
template <class C>
class Proxy {
 public:
  Proxy() = default;
  Proxy(CollectionId collection, Shape shape) : collection_(collection), shape_(shape) {}

  /// Throws UsageError for an index outside an array with a shape, and for one that cannot be in a sparse array.
  Element<C> operator[](Index index) const {
    if (shape_.contains(index)) [[likely]]
      return Element<C>(collection_, shape_.linear(index));
    if (!is_sparse()) throw_outside(collection_, index, shape_);
    if constexpr (std::is_convertible_v<Index, typename C::IndexType>)
      return Element<C>(collection_, IndexNumber<typename C::IndexType>::of(index));
    proxy::throw_other_index();
  }
  /// The same by an index of another type: that of the class, which its base Chare<C, I> names.
  template <class I>
    requires(!std::is_same_v<I, Index>)
  Element<C> operator[](const I& index) const {
    using Own = typename C::IndexType;
    constexpr bool kIsIndex = std::is_convertible_v<const I&, Own>;
    static_assert(kIsIndex, "array[index]: this is no index of arrays of such chares; see Chare<C, I>");
    if constexpr (std::is_same_v<Own, Index>)
      return (*this)[Index(index)];
    else if constexpr (kIsIndex)
      return Element<C>(collection_, IndexNumber<Own>::of(index));
  }

  Shape shape() const { return shape_; }
  bool is_sparse() const { return shape_.is_sparse() && collection_ != kNoCollection; }

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

}  // namespace kaon::chares
