// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/entries/entry.hpp"
#include "kaon/chares/sending/ordered_entry.hpp"
#include "kaon/chares/sending/receiver_table.hpp"
#include "kaon/runtime/messages/typed_record.hpp"
#include "kaon/runtime/pe/bit_priority.hpp"
#include "kaon/runtime/pe/bit_queue.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

/// The messages of an entry whose priority is bits: it travels before the arguments. Where such a message finds its
/// element, it waits in the PE's BitQueue. `Own` is the entry that they have without.
template <auto E, class C, class Own>
class PrioritizedEntry {
  using Functions = typename FunctionsFor<typename Prepended<BitPriority, typename Own::Arguments>::type>::type;
  using Typed = typename Functions::Typed;
  using AtSend = TurnAtSend<Typed, 1>;

 public:
  /// Same as make_for() and make_call() of Own, with a priority.
  template <class... A>
  static Message& make_for(Pe& pe, CollectionId collection, std::uint64_t element, const BitPriority& priority,
                           A&&... arguments) {
    Message& message = make_call(pe, collection, element, priority, std::forward<A>(arguments)...);
    if constexpr (Own::kHasTurns) AtSend::take_turn(message, pe);
    return message;
  }
  template <class... A>
  static Message& make_call(Pe& pe, CollectionId collection, std::uint64_t element, const BitPriority& priority,
                            A&&... arguments) {
    Message& message = std::apply(
        [&](auto&&... values) -> Message& {
          return Functions::make(pe.pool(), *listed_, priority, std::move(values)...);
        },
        Own::arguments(std::forward<A>(arguments)...));
    return addressed(message, collection, element);
  }
  static constexpr auto send_of_call() -> void (*)(Message&, Pe&) {
    if constexpr (Own::kHasTurns) return &AtSend::send_call;
    return nullptr;
  }

 private:
  static void invoke(Work& work, Pe& pe) {
    auto& message = static_cast<Typed&>(work);
    ElementTable* const table = table_of_entry(message, pe);
    if (table == nullptr) [[unlikely]]
      return;
    BitPriority priority = std::move(std::get<0>(message.arguments));
    Message& inner =
        std::apply([&pe](BitPriority&, auto&... values) -> Message& { return Own::remake(pe, std::move(values)...); },
                   message.arguments);
    copy_header(message, inner);
    Functions::destroy(message, pe.pool());
    pe.bit_queue().push(inner, std::move(priority));
  }

  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static constexpr EntryRecord make_record() {
    if constexpr (Own::kHasTurns)
      return Functions::template losable_record<PrioritizedEntry, 1, &SkippedTurn<C>::send>(name(), &invoke,
                                                                                            &element_family<C>());
    else
      return Functions::template record<PrioritizedEntry>(name(), &invoke, &element_family<C>());
  }
  static inline EntryRecord record_ = make_record();
  static inline const EntryRecord* const listed_ = enlist(record_);
};

}  // namespace kaon::chares
