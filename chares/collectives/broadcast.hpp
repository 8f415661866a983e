// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "kaon/chares/collectives/delivery.hpp"
#include "kaon/chares/entries/entry.hpp"
#include "kaon/chares/entries/entry_properties.hpp"
#include "kaon/runtime/pe/spanning_tree.hpp"

namespace kaon::chares {

/// Destination of a broadcast, stored in the element field of the message header. It holds the PE at the root of the
/// tree and the number of a section, or 0 for all elements.
struct BroadcastTo {
  PeId root = 0;
  std::uint32_t section = 0;

  static BroadcastTo of(const Message& message) {
    return {static_cast<PeId>(message.element), static_cast<std::uint32_t>(message.element >> 32)};
  }
  std::uint64_t as_element() const { return std::uint64_t{section} << 32 | root; }
};

/// The tree down which a broadcast goes. Throws CorruptMessage.
SpanningTree tree_of(const Message& message, Pe& pe);
/// Whom it is for on this PE. Throws UsageError for a section that was destroyed.
Recipients recipients_of(const Message& message, ElementTable& table);

/// Sends copies of a broadcast to the PEs below this one, whose replies are expected. They leave before the entry runs
/// here, if it is a long one. Throws what the packing of an argument does.
void send_down(const Message& message, Pe& pe, const Answers& answers, const OrderStamp* order = nullptr);

/// Sends a broadcast off from the PE that is the root of its tree: at once to the PEs below, whatever stands in the
/// queue of this one. With a combiner, what is asked here is one more of those whose results it combines.
/// `order`: of an ordered one, its place.
void leave(Message& message, Pe& pe, const Answers& answers, const OrderStamp* order = nullptr);
/// Takes a broadcast, or a share of one, that has come.
void take_broadcast(Message& message, Pe& pe, const BroadcastFunctions& functions, Answers (*start)(Message&, Pe&));

/// The results of a broadcast that nobody asked for.
struct NoResults {};

/// An entry of every element of an array or a section, as a message: its own kind for each entry and each operation
/// that combines the results (NoResults: nobody asked), because what comes back is the operation's to make. Behind the
/// list of a share come the entry's arguments; of an ordered one, what keeps it in order is between them.
template <auto E, class C, class Op>
class Broadcast {
  using Target = Entry<E, C>;
  using Numbers = std::vector<std::uint64_t>;
  static constexpr bool kIsOrdered = is_ordered<E, C>;
  using Values = typename Target::Arguments;
  using OrderedValues =
      typename std::conditional_t<kIsOrdered, Prepended<BroadcastOrder, Values>, std::type_identity<Values>>::type;
  using Functions = typename FunctionsFor<typename Prepended<Numbers, OrderedValues>::type>::type;
  using Typed = typename Functions::Typed;
  using Value = typename Target::Value;
  static constexpr bool kHasResult = !std::is_same_v<Op, NoResults>;

 public:
  template <class... A>
  static Message& make(Pe& pe, A&&... arguments) {
    Target::check_parameters();
    Message& message = make_message(pe, std::forward<A>(arguments)...);
    message.flags |= kBroadcastMessage;
    return message;
  }

  static void send(Message& message, Pe& pe) {
    send(message, pe, [] { return Answers(); });
  }
  /// Sends like a call: `message.reply` names the slot that gets the result or an exception.
  static void call(Message& message, Pe& pe) {
    send(message, pe, [&] { return start(message, pe); });
  }

 private:
  template <class Start>
  static void send(Message& message, Pe& pe, Start start) {
    if constexpr (kIsOrdered) {
      give_broadcast_turn(order(message).stamp, message, pe);
      const OrderStamp stamp = order(message).stamp;
      leave(message, pe, start(), &stamp);
    } else {
      leave(message, pe, start());
    }
  }

  template <class... A>
  static Message& make_message(Pe& pe, A&&... arguments) {
    if constexpr (Target::Traits::is_inbox)
      return make_values(pe, std::tuple_element_t<0, Values>{std::forward<A>(arguments)...});
    else
      return make_values(pe, std::forward<A>(arguments)...);
  }
  template <class... A>
  static Message& make_values(Pe& pe, A&&... values) {
    if constexpr (kIsOrdered)
      return Functions::make(pe.pool(), *listed_, Numbers(), BroadcastOrder(), std::forward<A>(values)...);
    else
      return Functions::make(pe.pool(), *listed_, Numbers(), std::forward<A>(values)...);
  }

  static void run_one(ElementBase& element, const Message& message, Pe& pe, const ResultTo& to) {
    const auto run = [&](const auto&... values) { Target::run_shared(element, message, pe, to, values...); };
    if constexpr (kIsOrdered)
      std::apply([&](const auto&, const auto&, const auto&... values) { run(values...); }, arguments_of(message));
    else
      std::apply([&](const auto&, const auto&... values) { run(values...); }, arguments_of(message));
  }
  static const auto& arguments_of(const Message& message) { return static_cast<const Typed&>(message).arguments; }
  static Numbers& numbers(Message& message) { return std::get<0>(static_cast<Typed&>(message).arguments); }
  static BroadcastOrder& order([[maybe_unused]] Message& message) {
    if constexpr (kIsOrdered)
      return std::get<1>(static_cast<Typed&>(message).arguments);
    else
      __builtin_unreachable();  // nobody has it
  }
  static Answers start(Message& message, Pe& pe) {
    if constexpr (kHasResult)
      return Answers(Combiner<Value, Op>::start(pe, message.source, message.reply));
    else
      return {};
  }
  static void invoke(Work& work, Pe& pe) { take_broadcast(static_cast<Message&>(work), pe, kFunctions, &start); }

  /// For an element that is no more.
  static void give_nothing(Pe& pe, PeId to, ReplyTo slot) {
    if constexpr (kHasResult) give_result<Partial<Value>>(pe, {to, slot}, {});
  }

  static constexpr EntryRecord record() {
    EntryRecord made = Functions::template record<Broadcast>(name(), &invoke, &element_family<C>());
    made.element_is_gone = &give_nothing;
    return made;
  }
  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static constexpr BroadcastFunctions kFunctions{&run_one, &numbers, kIsOrdered ? &order : nullptr};
  static inline EntryRecord record_ = record();
  static inline const EntryRecord* const listed_ = enlist(record_);
};

}  // namespace kaon::chares
