// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/entries/entry.hpp"
#include "kaon/chares/sending/orders.hpp"
#include "kaon/chares/sending/receiver_table.hpp"
#include "kaon/runtime/messages/typed_record.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

/// Goes to an element of the class C in the place of an ordered message that could not be sent, so that those behind it
/// do not wait for it.
template <class C>
class SkippedTurn {
  using Functions = MessageFunctions<OrderStamp>;

 public:
  static void send(Pe& pe, CollectionId collection, std::uint64_t element, const OrderStamp& stamp) {
    pe.route(addressed(Functions::make(pe.pool(), *listed_, stamp), collection, element), pe.id());  // and on from here
  }

 private:
  static void invoke(Work& work, Pe& pe) {
    auto& message = static_cast<typename Functions::Typed&>(work);
    const OrderStamp stamp = std::get<0>(message.arguments);
    if (!may_skip_turn(message, stamp, pe)) return;
    Functions::destroy(message, pe.pool());
    pe.count_done();
  }

  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static constexpr EntryRecord make_record() {
    EntryRecord made = Functions::template record<SkippedTurn>(name(), &invoke, &element_family<C>());
    made.needs_no_room = true;
    return made;
  }
  static inline EntryRecord record_ = make_record();
  static inline const EntryRecord* const listed_ = enlist(record_);
};

/// Gives messages, as they are sent, the next turn of their sender, which is their argument N.
template <class Typed, std::size_t N>
struct TurnAtSend {
  static void take_turn(Message& message, Pe& pe) {
    give_turn(std::get<N>(static_cast<Typed&>(message).arguments), message, pe);
  }
  static void send_call(Message& message, Pe& pe) {
    take_turn(message, pe);
    send_to_element(message, pe);
  }
};

/// The messages of an entry that its class names in `ordered`: each says its place in the line from its sender to its
/// element, and where they come to the element, wherever that is, they are run in this order.
template <auto E, class C>
class OrderedEntry {
  using Inner = Entry<E, C>;

 public:
  using Arguments = typename Prepended<OrderStamp, typename Inner::Arguments>::type;
  static constexpr bool kRunsAtOnce = false, kHasTurns = true;

  /// The arguments as Entry makes them, behind the stamp of a turn that is yet to be taken.
  template <class... A>
  static Arguments arguments(A&&... arguments) {
    return std::tuple_cat(std::tuple(OrderStamp()), Inner::arguments(std::forward<A>(arguments)...));
  }
  /// Has the next turn from who runs now.
  template <class... A>
  static Message& make_for(Pe& pe, CollectionId collection, std::uint64_t element, A&&... arguments) {
    Message& message = make_call(pe, collection, element, std::forward<A>(arguments)...);
    AtSend::take_turn(message, pe);
    return message;
  }
  /// Has its turn when send_of_call() gives it one: it may be forgotten before, or others go first.
  template <class... A>
  static Message& make_call(Pe& pe, CollectionId collection, std::uint64_t element, A&&... values) {
    Message& message = std::apply([&](auto&&... all) -> Message& { return remake(pe, std::move(all)...); },
                                  arguments(std::forward<A>(values)...));
    return addressed(message, collection, element);
  }
  static constexpr auto send_of_call() -> void (*)(Message&, Pe&) { return &AtSend::send_call; }
  template <class... A>
  static Message& remake(Pe& pe, A&&... arguments) {
    return Functions::make(pe.pool(), *listed_, std::forward<A>(arguments)...);
  }
  static const EntryRecord& record() { return *listed_; }

 private:
  using Functions = typename FunctionsFor<Arguments>::type;
  using Typed = typename Functions::Typed;
  using AtSend = TurnAtSend<Typed, 0>;

  static void invoke(Work& work, Pe& pe) {
    auto& message = static_cast<Typed&>(work);
    ElementTable* const table = table_of_entry(message, pe);
    if (table == nullptr) [[unlikely]]
      return;
    const OrderStamp stamp = std::get<0>(message.arguments);
    if (!table->part<Orders>().is_due(stamp, message)) return;
    Message& inner = make_inner(message, pe);
    table->part<Orders>().taken(stamp, inner.element);
    inner.run(inner, pe);
  }

  /// The message itself, in the place of the one with the stamp, which goes.
  static Message& make_inner(Typed& message, Pe& pe) {
    Message& inner =
        std::apply([&pe](OrderStamp&, auto&... values) -> Message& { return Inner::remake(pe, std::move(values)...); },
                   message.arguments);
    copy_header(message, inner);
    Functions::destroy(message, pe.pool());
    return inner;
  }

  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static inline EntryRecord record_ =
      Functions::template losable_record<OrderedEntry, 0, &SkippedTurn<C>::send>(name(), &invoke, &element_family<C>());
  static inline const EntryRecord* const listed_ = enlist(record_);
};

}  // namespace kaon::chares
