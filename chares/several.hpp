// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <type_traits>
#include <utility>

#include "kaon/chares/collectives/broadcast.hpp"
#include "kaon/chares/element.hpp"
#include "kaon/chares/waits/call.hpp"

namespace kaon::chares {

/// Messages to all elements of an array, or to those of a section of it.
/// The common base of Proxy and Section.
template <class C>
class Several {
 public:
  /// Runs an entry of every element with copies of the arguments: exactly once for each that is there all the time,
  /// also while it moves.
  template <auto E, class... A>
  void broadcast(A&&... arguments) const {
    if constexpr (proxy::check_send<E, C, A...>() && proxy::check_broadcast<E>()) {
      Pe& pe = usable_pe();
      using Sent = Broadcast<E, C, NoResults>;
      Sent::send(addressed(Sent::make(pe, std::forward<A>(arguments)...), pe), pe);
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

  CollectionId id() const { return collection_; }

 protected:
  Several() = default;
  explicit Several(CollectionId collection, std::uint32_t section = 0) : collection_(collection), section_(section) {}
  ~Several() = default;
  Several(const Several&) = default;
  Several& operator=(const Several&) = default;

  Pe& usable_pe() const {
    Pe& pe = proxy::calling_pe();
    proxy::check_usable(pe, collection_);
    return pe;
  }

  CollectionId collection_ = kNoCollection;
  std::uint32_t section_ = 0;  // 0: all elements of the array

 private:
  template <auto E, class Op, class Value, class Result, class... A>
  auto combined(A&&... arguments) const {
    Pe& pe = usable_pe();
    using Sent = Broadcast<E, C, Op>;
    Message& message = Sent::make(pe, std::forward<A>(arguments)...);
    return Call<Partial<Value>, Result>(pe, addressed(message, pe), pe.id(), &Sent::call);
  }

  Message& addressed(Message& message, Pe& pe) const {
    message.collection = collection_;
    message.element = BroadcastTo{pe.id(), section_}.as_element();
    return message;
  }
};

}  // namespace kaon::chares
