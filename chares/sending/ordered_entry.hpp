// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <tuple>
#include <utility>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/entry.hpp"
#include "kaon/chares/sending/orders.hpp"
#include "kaon/runtime/messages/typed_record.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

/// Goes to an element of the class C in the place of an ordered message that could not be packed, so that those behind
/// it do not wait for it.
template <class C>
class SkippedTurn {
  using Functions = MessageFunctions<OrderStamp>;

 public:
  static void send(const OrderStamp& stamp, CollectionId collection, std::uint64_t element) {
    Pe& pe = this_pe();
    Message& message = Functions::make(pe.pool(), *listed_, stamp);
    message.collection = collection;
    message.element = element;
    pe.route(message, pe.id());  // from where it finds its way: who packs a message cannot send another one
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
  static inline EntryRecord record_ = Functions::template record<SkippedTurn>(name(), &invoke, &element_type<C>());
  static inline const EntryRecord* const listed_ = enlist(record_);
};

/// The messages of an entry that its class names in `ordered`: each says its place in the line from its sender to its
/// element, and where they come to the element, wherever that is, they are run in this order.
template <auto E, class C>
class OrderedEntry {
  using Inner = Entry<E, C>;

 public:
  using Arguments = typename Prepended<OrderStamp, typename Inner::Arguments>::type;
  static constexpr bool kRunsAtOnce = false;

  /// As of Entry, with the next place in the line from who runs now.
  template <class... A>
  static Arguments arguments(Pe& pe, CollectionId collection, std::uint64_t element, A&&... arguments) {
    return std::tuple_cat(std::tuple(next_stamp(pe, collection, element)),
                          Inner::arguments(pe, collection, element, std::forward<A>(arguments)...));
  }
  template <class... A>
  static Message& make(Pe& pe, CollectionId collection, std::uint64_t element, A&&... values) {
    return std::apply([&](auto&&... all) -> Message& { return remake(pe, std::move(all)...); },
                      arguments(pe, collection, element, std::forward<A>(values)...));
  }
  /// Of a call, which has its turn when send_call() gives it one: it may be forgotten before, or others go first.
  template <class... A>
  static Message& make_call(Pe& pe, CollectionId collection, std::uint64_t element, A&&... values) {
    return std::apply([&](auto&&... all) -> Message& { return remake(pe, std::move(all)...); },
                      std::tuple_cat(std::tuple(OrderStamp()),
                                     Inner::arguments(pe, collection, element, std::forward<A>(values)...)));
  }
  static void send_call(Message& message, Pe& pe) {
    std::get<0>(static_cast<Typed&>(message).arguments) = next_stamp(pe, message.collection, message.element);
    send_to_element(message, pe);
  }
  template <class... A>
  static Message& remake(Pe& pe, A&&... arguments) {
    return Functions::make(pe.pool(), *listed_, std::forward<A>(arguments)...);
  }
  static const EntryRecord& record() { return *listed_; }
  /// Of what could not be packed.
  static void skip(const Arguments& arguments, CollectionId collection, std::uint64_t element) {
    SkippedTurn<C>::send(std::get<0>(arguments), collection, element);
  }

 private:
  using Functions = typename FunctionsFor<Arguments>::type;
  using Typed = typename Functions::Typed;

  static void pack(const Message& message, Writer& out) {
    try {
      Functions::pack(message, out);
    } catch (...) {
      if (!out.collects_payloads())  // then it is only weighed, and goes all the same
        skip(static_cast<const Typed&>(message).arguments, message.collection, message.element);
      throw;
    }
  }

  static void invoke(Work& work, Pe& pe) {
    auto& message = static_cast<Typed&>(work);
    pe.running().note(message, message.element);
    auto* table = static_cast<ElementTable*>(pe.collections().find(message.collection));
    if (table == nullptr) [[unlikely]]
      return take_absent(message, pe);
    if (table->find(message.element) == nullptr) [[unlikely]]
      return table->forward(message);
    const OrderStamp stamp = std::get<0>(message.arguments);
    if (!table->orders().is_due(stamp, message)) return;
    Message& inner = make_inner(message, pe);
    table->orders().taken(stamp, inner.element);
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
  static constexpr EntryRecord make_record() {
    EntryRecord made = Functions::template record<OrderedEntry>(name(), &invoke, &element_type<C>());
    made.pack = &pack;
    return made;
  }
  static inline EntryRecord record_ = make_record();
  static inline const EntryRecord* const listed_ = enlist(record_);
};

}  // namespace kaon::chares
