// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/sparse_news.hpp"

#include "kaon/chares/elements/lost_contributors.hpp"
#include "kaon/chares/elements/pursuit.hpp"
#include "kaon/chares/elements/sparse_locations.hpp"
#include "kaon/chares/elements/table_procedure.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {
namespace sparse_procedures {  // not unnamed: entries are told apart by their names

SparseLocations& at_home(ElementTable& table, std::uint64_t element) {
  if (!table.is_sparse() || !table.sparse_locations().is_home(element))
    throw CorruptMessage("a PE heard of the way of an element that is not at home there");
  return table.sparse_locations();
}

void moved(ElementTable& table, std::uint64_t element, PeId pe, std::uint32_t moves) {
  if (pe >= table.pe().process().total_pes())
    throw CorruptMessage("an element is said to be on a PE that does not exist");
  at_home(table, element).moved(element, {pe, moves});
  table.forwarding().deliver(element);  // who can be inserted now, or reached as a single chare
}

void ended(ElementTable& table, std::uint64_t element, std::uint32_t moves) {
  const bool is_over = at_home(table, element).ended(element, moves);
  if (!table.sections().empty()) note_end_of_member(table, element);
  Pursuit::element_ended(table, element);
  table.each_part([&](TablePart& part) { part.element_is_gone(element); });
  if (is_over) table.forwarding().deliver(element);
}

void hint(ElementTable& table, std::uint64_t element, PeId pe) {
  if (pe >= table.pe().process().total_pes() || !table.is_sparse())
    throw CorruptMessage("a hint at an element's place names none that can be");
  if (!table.sparse_locations().is_home(element)) table.sparse_locations().hint(element, pe);
}

void forget_hint(ElementTable& table, std::uint64_t element) {
  if (table.is_sparse()) table.sparse_locations().forget_hint(element);
}

}  // namespace sparse_procedures

namespace {

void forward_at_home(ElementTable& table, Message& message) {
  Pe& pe = table.pe();
  const auto to = table.sparse_locations().elsewhere(message.element);
  if (!to && message.entry->element_is_gone != nullptr && !table.sparse_locations().known(message.element))
    return drop_as_gone(message, pe);
  if (!to) return table.forwarding().await_element(message);
  if (message.source != pe.id())
    TableProcedure<&sparse_procedures::hint>::send(pe, message.source, table.id(), message.element, *to);
  if (!Pursuit::keeps(table, message)) table.forwarding().send_on(message, *to);
}

}  // namespace

void forward_in_sparse(ElementTable& table, Message& message) {
  Pe& pe = table.pe();
  SparseLocations& locations = table.sparse_locations();
  const PeId home = locations.home(message.element);
  if (home == pe.id()) return forward_at_home(table, message);
  locations.forget_hint(message.element);
  if (message.hops == 0 && message.source != pe.id())  // it came here by a hint that is wrong now
    TableProcedure<&sparse_procedures::forget_hint>::send(pe, message.source, table.id(), message.element);
  table.forwarding().send_on(message, home);
}

void note_move_in_sparse(ElementTable& table, std::uint64_t element, PeId to) {
  Pe& pe = table.pe();
  SparseLocations& locations = table.sparse_locations();
  const Whereabouts now{to, locations.moves(element) + 1};
  const PeId home = locations.home(element);
  locations.left(element);
  if (home == pe.id()) return (void)locations.moved(element, now);
  locations.hint(element, to);
  TableProcedure<&sparse_procedures::moved>::send(pe, home, table.id(), element, now.pe, now.moves);
}

// As if it had been at home first and moved: then news of it may overtake each other as those of all moves may.
void note_made_in_sparse(ElementTable& table, std::uint64_t number) {
  Pe& pe = table.pe();
  SparseLocations& locations = table.sparse_locations();
  const PeId home = locations.home(number);
  if (home == pe.id()) return;
  locations.arrived(number, 1);
  TableProcedure<&sparse_procedures::moved>::send(pe, home, table.id(), number, pe.id(), 1u);
}

void note_end_in_sparse(ElementTable& table, std::uint64_t element) {
  Pe& pe = table.pe();
  SparseLocations& locations = table.sparse_locations();
  const std::uint32_t moves = locations.moves(element);
  const PeId home = locations.home(element);
  locations.left(element);
  if (home == pe.id())
    sparse_procedures::ended(table, element, moves);
  else
    TableProcedure<&sparse_procedures::ended>::send(pe, home, table.id(), element, moves);
}

}  // namespace kaon::chares
