// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/location_news.hpp"

#include "kaon/chares/elements/lost_contributors.hpp"
#include "kaon/chares/elements/table_procedure.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {
namespace location_procedures {  // not unnamed: entries are told apart by their names

void learn(ElementTable& table, std::uint64_t element, PeId where, std::uint32_t moves) {
  if (where >= table.pe().process().total_pes())
    throw CorruptMessage("an element is said to be on a PE that does not exist");
  if (element >= table.locations().placement().count())
    throw CorruptMessage("the place of an element that does not exist was announced");
  table.locations().learn(element, {where, moves});
}

/// Of an element that was made elsewhere than at home: what has waited at home goes on.
void made(ElementTable& table, std::uint64_t element, PeId where) {
  learn(table, element, where, 1);
  table.forwarding().deliver(element);
}

void bury(ElementTable& table, std::uint64_t element) {
  const Placement& placement = table.locations().placement();
  if (element >= placement.count()) throw CorruptMessage("the end of an element that does not exist was announced");
  table.locations().bury(element);
  table.each_part([&](TablePart& part) { part.element_is_gone(element); });
  if (!table.reductions().empty()) throw_deleted_before_contribution(table);
  if (!table.sections().empty() && placement.home(element) == table.pe().id()) note_end_of_member(table, element);
  table.forwarding().deliver(element);  // which finds nobody, and is dropped
}

}  // namespace location_procedures

void tell_location(Pe& pe, PeId to, CollectionId collection, std::uint64_t element, Whereabouts now) {
  TableProcedure<&location_procedures::learn>::send(pe, to, collection, element, now.pe, now.moves);
}

void tell_making(ElementTable& table, std::uint64_t element) {
  Pe& pe = table.pe();
  const PeId home = table.locations().placement().home(element);
  if (home == pe.id()) return;
  table.locations().learn(element, {pe.id(), 1});
  TableProcedure<&location_procedures::made>::send(pe, home, table.id(), element, pe.id());
}

void tell_deletion(ElementTable& table, std::uint64_t element) {
  constexpr PeId kRoot = 0;  // of reductions
  Pe& pe = table.pe();
  const PeId home = table.locations().placement().home(element);
  location_procedures::bury(table, element);
  if (home != pe.id()) TableProcedure<&location_procedures::bury>::send(pe, home, table.id(), element);
  if (kRoot != pe.id() && kRoot != home)
    TableProcedure<&location_procedures::bury>::send(pe, kRoot, table.id(), element);
}

}  // namespace kaon::chares
