// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <tuple>
#include <utility>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/runtime/messages/typed_record.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"

namespace kaon::chares {

/// Runs of one function on the part of a collection that another PE has: the runtime's own messages about collections,
/// which wait where the collection has yet to be made. `F` is a void(ElementTable&, Args...) with Args values.
template <auto F, Counting counting = Counting::uncounted>
class TableProcedure {
  using Functions = typename ArgumentsBehindFirst<decltype(F)>::Functions;
  using Typed = typename Functions::Typed;

 public:
  template <class... A>
  static void send(Pe& pe, PeId to, CollectionId collection, A&&... arguments) {
    Message& message = Functions::make(pe.pool(), *listed_, std::forward<A>(arguments)...);
    message.collection = collection;
    if (counting == Counting::uncounted) message.flags |= kControlMessage;
    pe.route(message, to);
  }

 private:
  static void invoke(Work& work, Pe& pe) {
    auto& message = static_cast<Typed&>(work);
    ElementTable* const table = table_to_run_on(message, pe);
    if (table == nullptr) return;  // and, if it was an element that arrives, so is that
    pe.note_kind(message.entry->id);
    struct Release {  // also when F throws
      Typed& message;
      Pe& pe;
      ~Release() {
        const bool is_counted = !(message.flags & kControlMessage);
        Functions::destroy(message, pe.pool());
        if (is_counted) pe.count_done();
      }
    } release{message, pe};
    std::apply([&](auto&... values) { F(*table, std::move(values)...); }, message.arguments);
  }

  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static inline EntryRecord record_ = Functions::record(name(), &invoke, &kAnyCollection);
  static inline const EntryRecord* const listed_ = enlist(record_);
};

}  // namespace kaon::chares
