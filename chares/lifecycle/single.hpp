// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/elements/seeds.hpp"
#include "kaon/chares/elements/single_class.hpp"
#include "kaon/chares/elements/sparse_locations.hpp"
#include "kaon/chares/elements/sparse_news.hpp"
#include "kaon/chares/lifecycle/insertion.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/typed_record.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

/// The message that makes a chare which is in no array: where it is, or, as a seed, where there is time for it. Order
/// is bool, which says whether it is a seed, or BitPriority, by which seeds are taken. Args are what the constructor
/// takes, after a decay.
template <class C, class Order, class... Args>
class Making {
  using Functions = MessageFunctions<Order, Args...>;
  using Typed = typename Functions::Typed;

 public:
  template <class... A>
  static Message& make(Pe& pe, const Order& order, A&&... arguments) {
    return Functions::make(pe.pool(), *listed_, order, std::forward<A>(arguments)...);
  }

 private:
  static void invoke(Work& work, Pe& pe) {
    auto& message = static_cast<Typed&>(work);
    pe.running().note(message, message.element);
    ElementTable& table = table_of_singles(pe, message.collection, element_type<C>());
    if (waits_as_seed(table.part<Seeds>(), message)) return;
    pe.note_kind(message.entry->id);
    struct Release {  // also when the constructor throws
      Typed& message;
      Pe& pe;
      ~Release() {
        Functions::destroy(message, pe.pool());
        pe.count_done();
      }
    } release{message, pe};
    insertion::make_element<C>(table, message.element, message.arguments);
    note_made_in_sparse(table, message.element);
  }

  static bool waits_as_seed(Seeds& seeds, Typed& message) {
    const Order& order = std::get<0>(message.arguments);
    if constexpr (std::is_same_v<Order, bool>) {
      if (!order || seeds.is_due(message)) return false;
      seeds.add(message);
    } else {
      if (seeds.is_due(message)) return false;
      seeds.add(message, order);
    }
    return true;
  }

  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static inline EntryRecord record_ = Functions::record(name(), &invoke, &element_family<C>());
  static inline const EntryRecord* const listed_ = enlist(record_);
};

/// Single chares of a class, which are in no array. Each has a number that its maker gives it, and is at home on the PE
/// where it was thought of, so that nobody has to be asked.
template <class C>
class Singles {
 public:
  /// Makes one on `to`, or, where that is nothing, wherever there is time for it. Returns its number.
  template <class... A>
  static std::uint64_t make(Pe& pe, std::optional<PeId> to, std::int32_t priority, A&&... arguments) {
    ElementTable& table = SingleClass<C>::table(pe);
    const std::uint64_t number = table.sparse_locations().new_number();
    Message& message = Making<C, bool, std::decay_t<A>...>::make(pe, !to, std::forward<A>(arguments)...);
    message.collection = table.id();
    message.element = number;
    message.priority = priority;
    if (to) {
      pe.route(message, *to);
    } else {
      pe.count_made();
      table.part<Seeds>().add(message);
    }
    return number;
  }

  /// Wherever there is time for it, in the order of the bits.
  template <class... A>
  static std::uint64_t make(Pe& pe, const BitPriority& priority, A&&... arguments) {
    ElementTable& table = SingleClass<C>::table(pe);
    const std::uint64_t number = table.sparse_locations().new_number();
    Message& message = Making<C, BitPriority, std::decay_t<A>...>::make(pe, priority, std::forward<A>(arguments)...);
    message.collection = table.id();
    message.element = number;
    pe.count_made();
    table.part<Seeds>().add(message, priority);
    return number;
  }
};

}  // namespace kaon::chares
