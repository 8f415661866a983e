// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "kaon/chares/chare.hpp"
#include "kaon/chares/collectives/broadcast.hpp"
#include "kaon/chares/waits/call.hpp"

namespace kaon::chares {

/// The elements of a dense array that are made on this PE at first: those at home here, or where their class places
/// them itself, which their homes know from then on. Throws UsageError for a place that is none.
template <class Visit>
void each_placed_here(ElementTable& table, Visit visit) {
  if (table.is_sparse()) return;
  const PeId here = table.pe().id();
  const Placement& placement = table.placement();
  if (table.type().place == nullptr || table.is_of_places()) {
    for (std::uint64_t slot = 0, end = placement.homed(here); slot < end; ++slot) visit(placement.element(here, slot));
    return;
  }
  for (std::uint64_t element = 0; element < placement.count(); ++element) {
    const PeId pe = table.place_of(element);
    if (pe != placement.home(element) && (pe == here || placement.home(element) == here))
      table.locations().learn(element, {pe, 1});
    if (pe == here) visit(element);
  }
}

/// The message that makes an array: it goes down the spanning tree, each PE makes its elements, and word that all are
/// there, or the first exception of a constructor, comes back up. Args are what the elements' constructors take, after
/// a decay. One that is bound to a leader is made without elements: they are made beside the leader's.
template <class C, class... Args>
class Creation {
  using Functions = MessageFunctions<CollectionId, Shape, Map, CollectionId, Args...>;

 public:
  using Done = Call<Partial<Nothing>, void>;

  template <class... A>
  static Message& make(Pe& pe, CollectionId id, Shape shape, Map map, A&&... arguments) {
    return make_bound(pe, id, shape, map, kNoCollection, std::forward<A>(arguments)...);
  }
  template <class... A>
  static Message& make_bound(Pe& pe, CollectionId id, Shape shape, Map map, CollectionId leader, A&&... arguments) {
    Message& message = Functions::make(pe.pool(), *listed_, id, shape, map, leader, std::forward<A>(arguments)...);
    message.element = pe.id();  // the root of the tree
    return message;
  }

 private:
  static void invoke(Work& work, Pe& pe) {
    auto& message = static_cast<typename Functions::Typed&>(work);
    pe.note_running(message);
    auto& combiner = Combiner<Nothing, KeepFirst>::start(pe, message.source, message.reply);
    try {
      send_down(message, pe, Answers(combiner));
      std::apply([&](auto&... arguments) { make_part(pe, arguments...); }, message.arguments);
    } catch (const CorruptMessage&) {
      throw;
    } catch (...) {
      combiner.incoming().fail(std::current_exception());
    }
    Functions::destroy(message, pe.pool());
    pe.count_done();
    combiner.run(combiner, pe);  // with the exception, or without a result
  }

  static void make_part(Pe& pe, CollectionId id, const Shape& shape, Map map, CollectionId leader,
                        const Args&... arguments) {
    if (!shape.is_sparse()) check(shape);
    auto owner = std::make_unique<ElementTable>(pe, id, element_type<C>(), shape, map);
    ElementTable& table = *owner;
    pe.add_collection(id, std::move(owner));  // before its elements, whose constructors may send to it
    if (leader != kNoCollection) return bonds::tie(table, pe, leader);
    if constexpr (std::is_constructible_v<C, const Args&...>)  // else the array is sparse
      each_placed_here(table, [&](std::uint64_t element) {
        const ElementBase::Construction place({&table, element});
        C& made = *std::make_unique<C>(arguments...).release();
        table.adopt(made);
        if (table.is_of_processes()) table.publish(made);
      });
  }

  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static inline EntryRecord record_ = Functions::record(name(), &invoke);
  static inline const EntryRecord* const listed_ = enlist(record_);
};

}  // namespace kaon::chares
