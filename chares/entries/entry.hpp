// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <optional>
#include <string_view>
#include <utility>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/entries/entry_task.hpp"
#include "kaon/chares/entries/entry_traits.hpp"
#include "kaon/chares/entries/inbox.hpp"
#include "kaon/chares/entries/post_rule.hpp"
#include "kaon/chares/waits/result.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

/// The entry named by a pointer to a member of the chare class C, or of a base of it: a method, or an Inbox. Its record
/// exists in every program that names the entry in a send, and nowhere has it to be registered.
template <auto E, class C>
class Entry {
 public:
  using Traits = EntryTraits<decltype(E)>;
  using Owner = typename Traits::Chare;  // the class that declares it, C or a base: a chare is made one once, for g++
  using Arguments = typename Traits::Arguments;
  using Functions = typename FunctionsFor<Arguments>::type;
  using Typed = typename Functions::Typed;
  using Value = ValueOf<typename Traits::Result>;

  static constexpr bool kRunsAtOnce = !Traits::is_inbox && !Traits::is_coroutine && !has_post_rule<E, C>;
  static constexpr bool kHasTurns = false;  // its messages may overtake each other

  template <class... A>
  static Message& make(Pe& pe, A&&... arguments) {
    check_parameters();
    if constexpr (Traits::is_inbox)
      return Functions::make(pe.pool(), *listed_, std::tuple_element_t<0, Arguments>{std::forward<A>(arguments)...});
    else
      return Functions::make(pe.pool(), *listed_, std::forward<A>(arguments)...);
  }

  /// To one element.
  template <class... A>
  static Message& make_for(Pe& pe, CollectionId collection, std::uint64_t element, A&&... arguments) {
    return addressed(make(pe, std::forward<A>(arguments)...), collection, element);
  }
  template <class... A>
  static Message& make_call(Pe& pe, CollectionId collection, std::uint64_t element, A&&... arguments) {
    return make_for(pe, collection, element, std::forward<A>(arguments)...);
  }
  /// By which a call leaves when it is awaited; nothing: to where it goes, as it is.
  static constexpr auto send_of_call() -> void (*)(Message&, Pe&) { return nullptr; }

  /// The contents of a message to an element, in the form in which they are packed.
  template <class... A>
  static Arguments arguments(A&&... arguments) {
    check_parameters();
    if constexpr (Traits::is_inbox)
      return Arguments(std::tuple_element_t<0, Arguments>{std::forward<A>(arguments)...});
    else
      return Arguments(std::forward<A>(arguments)...);
  }
  /// From its arguments as they are in a message.
  template <class... A>
  static Message& remake(Pe& pe, A&&... arguments) {
    return Functions::make(pe.pool(), *listed_, std::forward<A>(arguments)...);
  }

  static const EntryRecord& record() { return *listed_; }

  /// Runs a method of one element with arguments that are in no message.
  static void run_unpacked(ElementBase& element, Arguments arguments, Pe& pe) {
    Owner& chare = chare_of<C>(element);
    const std::uint64_t begin = pe.turn_meter().begin(&element);
    std::apply([&](auto&... a) { static_cast<void>((chare.*E)(std::move(a)...)); }, arguments);
    pe.turn_meter().end(begin, &element);
  }

  /// Runs the entry of one element with arguments of a message of another kind, that others get too.
  static void run_shared(ElementBase& element, const Message& message, Pe& pe, const ResultTo& to,
                         const auto&... arguments) {
    Owner& chare = chare_of<C>(element);
    const std::uint64_t begin = pe.turn_meter().begin(&element);
    if constexpr (Traits::is_inbox) {
      Message& copy = remake(pe, arguments...);
      copy_header(message, copy);
      (chare.*E).deliver(static_cast<Typed&>(copy));
    } else if constexpr (Traits::is_coroutine) {
      if (auto task = begin_task(to, pe, [&] { return (chare.*E)(arguments...); }))
        EntryTask<typename Traits::Result>::make(pe, element, *listed_, std::move(*task), to).start(pe);
    } else {
      call_method(to, pe, [&]() -> decltype(auto) { return (chare.*E)(arguments...); });
    }
    pe.turn_meter().end(begin, &element);
  }

  static constexpr void check_parameters() {
    static_assert(!(Traits::is_coroutine && Traits::has_reference_parameters),
                  "an entry that returns a Task takes its parameters by value: a reference would outlive the message");
    if constexpr (!Traits::is_inbox)
      static_assert(kHasPostRule || !mentions_post<E, C>,
                    "post(PostFor<&C::entry>, ...) takes the entry's arguments, by value or const reference; payloads "
                    "as const kaon::Payload<T>&");
    static_assert(!Traits::has_mutable_reference_parameters,
                  "an entry takes its parameters by value or by const reference: the sender's objects are elsewhere");
  }

 private:
  struct ReleaseAtEnd {  // also when the method throws
    Typed& message;
    Pe& pe;
    ~ReleaseAtEnd() { release(message, pe); }
  };

  static constexpr bool kHasPostRule = has_post_rule<E, C>;

  static void release(Typed& message, Pe& pe) noexcept {
    if constexpr (kHasPostRule)
      if (message.flags & kLanded) free_landing(message);
    Functions::destroy(message, pe.pool());
  }

  /// Runs the entry of one element with arguments that are its own from now on. Takes the message.
  static void run(Owner& chare, ElementBase& element, Typed& message, Pe& pe) {
    if constexpr (Traits::is_inbox) {
      (chare.*E).deliver(message);
    } else if constexpr (Traits::is_coroutine) {
      start_task(chare, element, message, pe);
    } else {
      ReleaseAtEnd at_end{message, pe};
      call_method({message.source, message.reply}, pe, [&]() -> decltype(auto) {
        return std::apply([&](auto&... a) -> decltype(auto) { return (chare.*E)(std::move(a)...); }, message.arguments);
      });
    }
  }

  static void start_task(Owner& chare, ElementBase& element, Typed& message, Pe& pe) {
    const ResultTo to{message.source, message.reply};
    EntryTask<typename Traits::Result>* entry = nullptr;
    try {
      auto task = begin_task(to, pe, [&] {
        return std::apply([&](auto&... a) { return (chare.*E)(std::move(a)...); }, message.arguments);
      });
      if (task) entry = &EntryTask<typename Traits::Result>::make(pe, element, *message.entry, std::move(*task), to);
    } catch (...) {
      release(message, pe);
      throw;
    }
    if (entry == nullptr) return release(message, pe);
    if constexpr (kHasPostRule)
      if (message.flags & kLanded) entry->hold_landing(&message);
    Functions::destroy(message, pe.pool());
    entry->start(pe);
  }

  /// Nothing when an argument of the coroutine could not be copied, or there was no memory for its frame, which who
  /// awaits the result is told.
  template <class Method>
  static std::optional<typename Traits::Result> begin_task(const ResultTo& to, Pe& pe, Method method) {
    try {
      return method();
    } catch (...) {
      if (!give_failure(pe, to, std::current_exception())) throw;
      return std::nullopt;
    }
  }

  template <class Method>
  static void call_method(const ResultTo& to, Pe& pe, Method method) {
    try {
      if constexpr (std::is_void_v<typename Traits::Result>) {
        method();
        give(pe, to, Nothing{});
      } else {
        give<Value>(pe, to, method());
      }
    } catch (...) {
      if (!to.reply && to.receiver == nullptr) throw;
      pe.failures().note_origin(std::current_exception(), describe_running(pe));
      give_failure(pe, to, std::current_exception());
    }
  }

  static void invoke(Work& work, Pe& pe) {
    auto& message = static_cast<Typed&>(work);
    pe.running().note(message, message.element);  // its kind when it is sure that it runs here
    ElementTable* table = find_table(pe.collections(), message.collection);
    if (table == nullptr) [[unlikely]]
      return take_absent(message, pe);
    ElementBase* element = table->find(message.element);
    if (element == nullptr) [[unlikely]]
      return table->forwarding().forward(message);
    pe.note_kind(message.entry->id);
    C& chare = chare_of<C>(*element);
    if constexpr (kHasPostRule) {
      if (message.flags & kLanded)
        landed_message_came(*table, message.element);
      else
        land_here(chare, message, *table, pe);
    }
    const std::uint64_t begin = pe.turn_meter().begin(element);
    run(chare, *element, message, pe);
    pe.turn_meter().end(begin, element);
    pe.count_done();
  }

  /// Lands the payloads of a message whose entry runs at once. A message that outlives the entry's first step, as a
  /// task or in an inbox, holds its landing.
  static void land_here(C& chare, Typed& message, ElementTable& table, Pe& pe) {
    constexpr bool kHolds = Traits::is_coroutine || Traits::is_inbox;
    try {
      const bool is_landed =
          land_by_rule<E>(chare, message.arguments, {table, message.element, kHolds ? &message : nullptr});
      if (kHolds && is_landed) message.flags |= kLanded;
    } catch (...) {
      Functions::destroy(message, pe.pool());
      throw;
    }
  }

  static void post(Message& message, Pe& pe) {
    ElementTable* table = find_table(pe.collections(), message.collection);
    ElementBase* element = table != nullptr ? table->find(message.element) : nullptr;
    if (element == nullptr) return;  // pooled; it is sent on
    note_running(pe, message);
    if (!land_by_rule<E>(chare_of<C>(*element), static_cast<Typed&>(message).arguments,
                         {*table, message.element, &message}))
      return;
    message.flags |= kLanded;
    table->holds().begin(message.element);  // until the entry runs: its payloads are received into the chare's memory
  }

  static constexpr auto post_function() -> void (*)(Message&, Pe&) {
    if constexpr (kHasPostRule)
      return &post;
    else
      return nullptr;
  }

  static constexpr auto inbox_function() -> const void* (*)(const void*) {
    if constexpr (Traits::is_inbox)
      return [](const void* element) -> const void* {
        ElementBase& base = *static_cast<ElementBase*>(const_cast<void*>(element));
        const ElementType& type = ElementAccess::table(base).type();
        const bool is_one = &type == &element_type<C>() || type.family == &element_type<C>();  // as far as can be known
        return is_one ? &(chare_of<C>(base).*E) : nullptr;
      };
    else
      return nullptr;
  }

  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static inline EntryRecord record_ =
      Functions::template record<Entry>(name(), &invoke, &element_family<C>(), post_function(), inbox_function());
  static inline const EntryRecord* const listed_ = enlist(record_);
};

}  // namespace kaon::chares
