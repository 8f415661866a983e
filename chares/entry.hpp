// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/elements/entry_task.hpp"
#include "kaon/chares/entry_traits.hpp"
#include "kaon/chares/inbox.hpp"
#include "kaon/chares/post_rule.hpp"
#include "kaon/chares/waits/result.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

template <class C>
class Chare;

/// Runs a broadcast on the elements of this PE and sends it on down the tree; takes the message. (broadcast.hpp)
template <auto E>
void deliver_broadcast(Message& message, ElementTable& table, LocalResults* results);

/// The entry named by a pointer to a member: a method, or an Inbox. Its record exists in every program that names the
/// entry in a send, and nowhere has it to be registered.
template <auto E>
class Entry {
 public:
  using Traits = EntryTraits<decltype(E)>;
  using C = typename Traits::Chare;
  using Arguments = typename Traits::Arguments;
  using Functions = typename FunctionsFor<Arguments>::type;
  using Typed = typename Functions::Typed;
  using Value = ValueOf<typename Traits::Result>;

  template <class... A>
  static Message& make(Pe& pe, A&&... arguments) {
    check_parameters();
    if constexpr (Traits::is_inbox)
      return Functions::make(pe, *listed_, std::tuple_element_t<0, Arguments>{std::forward<A>(arguments)...});
    else
      return Functions::make(pe, *listed_, std::forward<A>(arguments)...);
  }

  /// Runs the entry of one element with arguments that are its own from now on.
  static void run(C& chare, ElementBase& element, Typed& message, Pe& pe, const ResultTo& to) {
    const EntryRecord& record = *message.entry;
    if constexpr (Traits::is_inbox) {
      (chare.*E).deliver(message);
    } else if constexpr (Traits::is_coroutine) {
      auto task = std::apply([&](auto&... a) { return (chare.*E)(std::move(a)...); }, message.arguments);
      Functions::destroy(message, pe);
      EntryTask<typename Traits::Result>::start(pe, element, record, std::move(task), to);
    } else {
      ReleaseAtEnd release{message, pe};
      call_method(to, pe, [&]() -> decltype(auto) {
        return std::apply([&](auto&... a) -> decltype(auto) { return (chare.*E)(std::move(a)...); }, message.arguments);
      });
    }
  }

  /// Runs the entry of one element with arguments that others get too.
  static void run_shared(ElementBase& element, const Message& message, Pe& pe, const ResultTo& to) {
    C& chare = static_cast<C&>(static_cast<Chare<C>&>(element));
    const auto& arguments = static_cast<const Typed&>(message).arguments;
    if constexpr (Traits::is_inbox) {
      (chare.*E).deliver(static_cast<Typed&>(*Functions::copy(message, pe)));
    } else if constexpr (Traits::is_coroutine) {
      auto task = std::apply([&](const auto&... a) { return (chare.*E)(a...); }, arguments);
      EntryTask<typename Traits::Result>::start(pe, element, *message.entry, std::move(task), to);
    } else {
      call_method(to, pe, [&]() -> decltype(auto) {
        return std::apply([&](const auto&... a) -> decltype(auto) { return (chare.*E)(a...); }, arguments);
      });
    }
  }

  static const EntryRecord& record() { return *listed_; }

 private:
  struct ReleaseAtEnd {  // also when the method throws
    Typed& message;
    Pe& pe;
    ~ReleaseAtEnd() { Functions::destroy(message, pe); }
  };

  template <class Call>
  static void call_method(const ResultTo& to, Pe& pe, Call call) {
    if constexpr (std::is_void_v<typename Traits::Result>) {
      call();
      give_result(pe, to, Nothing{});
    } else {
      give_result<Value>(pe, to, call());
    }
  }

  static constexpr void check_parameters() {
    static_assert(!(Traits::is_coroutine && Traits::has_reference_parameters),
                  "an entry that returns a Task takes its parameters by value: a reference would outlive the message");
    if constexpr (!Traits::is_inbox)
      static_assert(has_post_rule<E> || !mentions_post<E>,
                    "post(PostFor<&C::entry>, ...) takes the entry's arguments, by value or const reference; payloads "
                    "as const kaon::Payload<T>&");
    static_assert(!Traits::has_mutable_reference_parameters,
                  "an entry takes its parameters by value or by const reference: the sender's objects are elsewhere");
  }

  static void invoke(Work& work, Pe& pe) {
    auto& message = static_cast<Typed&>(work);
    auto* table = static_cast<ElementTable*>(pe.collection(message.collection));
    if (table == nullptr) [[unlikely]]
      return pe.await_collection(message);
    if (message.flags & kBroadcastMessage) {
      if constexpr (are_copyable<Arguments>) return deliver_broadcast<E>(message, *table, nullptr);
      throw CorruptMessage("a message whose arguments cannot be copied was broadcast");
    }
    ElementBase* element = table->find(message.element);
    if (element == nullptr) [[unlikely]]
      return table->forward(message);
    pe.runs(message);
    if constexpr (kHasPostRule) {
      if (message.flags & kLanded)
        table->let_go(message.element, message);
      else
        land_here(static_cast<C&>(static_cast<Chare<C>&>(*element)), message, {*table, message.element}, pe);
    }
    const ResultTo to{message.source, message.reply, nullptr};
    run(static_cast<C&>(static_cast<Chare<C>&>(*element)), *element, message, pe, to);
    pe.done();
  }

  static void land_here(C& chare, Typed& message, const LandingPlace& place, Pe& pe) {
    try {
      land_by_rule<E>(chare, message.arguments, place);
    } catch (...) {
      Functions::destroy(message, pe);
      throw;
    }
  }

  static constexpr bool kHasPostRule = has_post_rule<E>;

  static void post(Message& message, Pe& pe) {
    auto* table = static_cast<ElementTable*>(pe.collection(message.collection));
    ElementBase* element = table != nullptr ? table->find(message.element) : nullptr;
    if (element == nullptr || (message.flags & kBroadcastMessage)) return;  // pooled; it is sent on or copied
    pe.runs(message);
    if (!land_by_rule<E>(static_cast<C&>(static_cast<Chare<C>&>(*element)), static_cast<Typed&>(message).arguments,
                         {*table, message.element, &message}))
      return;
    message.flags |= kLanded;
    table->hold(message.element);  // until the entry runs: its payloads are received into the chare's memory
  }

  static constexpr auto post_function() -> void (*)(Message&, Pe&) {
    if constexpr (kHasPostRule)
      return &post;
    else
      return nullptr;
  }

  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static inline EntryRecord record_ = Functions::record(name(), &invoke, &chare_type_of<C>, post_function());
  static inline const EntryRecord* const listed_ = enlist(record_);
};

}  // namespace kaon::chares

#include "kaon/chares/collectives/broadcast.hpp"  // deliver_broadcast, which needs the above
