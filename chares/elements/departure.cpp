// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/departure.hpp"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "kaon/chares/elements/location_news.hpp"
#include "kaon/chares/elements/sparse_news.hpp"
#include "kaon/chares/elements/table_procedure.hpp"
#include "kaon/chares/inbox.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {
namespace departure_procedures {  // not unnamed: entries are told apart by their names

void arrive(ElementTable& table, std::uint64_t number, std::uint32_t next_reduction, std::uint32_t moves,
            std::vector<SectionTurn> turns, std::vector<std::byte> bytes) {
  if (table.type().unpack == nullptr) throw CorruptMessage("a chare arrived whose class cannot move");
  const ElementBase::Construction construction(table.position(number, next_reduction));
  Reader in(bytes.data(), bytes.size());
  ElementBase& element = table.type().unpack(in);
  if (table.is_sparse())
    table.sparse_locations().arrived(number, moves);
  else
    table.locations().learn(number, {table.pe().id(), moves});
  table.sections().put_turns(number, turns);
  table.adopt(element);
}

}  // namespace departure_procedures

namespace {

void check_move(const ElementTable& table, PeId to) {
  const PeId pes = table.pe().process().total_pes();
  if (to >= pes)
    throw UsageError("migrate_to(" + std::to_string(to) + "): the run has PEs 0 to " + std::to_string(pes - 1));
}

void tell_move(ElementTable& table, std::uint64_t element, Whereabouts now) {
  Pe& pe = table.pe();
  table.locations().learn(element, now);
  const PeId home = table.placement().home(element);
  if (home != pe.id()) tell_location(pe, home, table.id(), element, now);
  if (home != now.pe) tell_location(pe, now.pe, table.id(), element, now);  // so that early messages wait for it there
}

void check_nothing_lost(const ElementTable& table, std::uint64_t element) {
  const std::size_t lost = inbox::take_lost();
  if (lost > 0)
    throw UsageError(table.name_of(element) + " moved while its inboxes held " + std::to_string(lost) +
                     " messages that were not moved with it: archive every Inbox in pup()");
}

}  // namespace

Departure::Departure(ElementTable& table, std::uint64_t element) : table_(table), element_(element) {
  run = &attempt;
  priority = std::numeric_limits<std::int32_t>::min();  // the next piece of work
  table.departures().set(element, this);
}

Departure::~Departure() { table_.departures().erase(element_); }

Departure& Departure::of(ElementTable& table, ElementBase& element) {
  const std::uint64_t index = table.number_of(element);
  if (const auto begun = table.departures().find(index)) return **begun;
  Pe& pe = table.pe();
  return make<Departure>(pe.activities(), pe.pool(), table, index);
}

void Departure::to_pe(ElementTable& table, ElementBase& element, PeId to) {
  check_move(table, to);
  Departure& departure = of(table, element);
  departure.to_ = to;
  departure.try_soon();
}

void Departure::to_end(ElementTable& table, ElementBase& element) {
  Departure& departure = of(table, element);
  departure.is_end_ = true;
  departure.try_soon();
}

void Departure::try_soon() {
  if (std::exchange(is_queued_, true)) return;
  table_.pe().count_made();
  table_.pe().enqueue(*this);
}

bool Departure::may_go(ElementBase& element) const {
  if (table_.holds().keeps(element_)) return false;
  return is_end_ || ElementAccess::suspended(element).empty();
}

void Departure::attempt(Work& work, Pe& pe) {
  auto& self = static_cast<Departure&>(work);
  self.is_queued_ = false;
  pe.count_done();
  ElementTable& table = self.table_;
  ElementBase& element = *table.find(self.element_);
  if (!self.may_go(element)) return;  // until element_is_at_rest()
  const bool is_end = self.is_end_;
  const PeId to = self.to_.value_or(pe.id());
  self.end();
  if (is_end)
    destroy(table, element);
  else if (to != pe.id())
    move(table, element, to);
}

void Departure::destroy(ElementTable& table, ElementBase& element) {
  const std::uint64_t index = table.number_of(element);
  table.holds().remove(index);
  static_cast<void>(table.sections().take_turns(index));
  table.remove(element);  // first: what its ending entries send to it is dropped
  struct Removed {
    ElementTable& table;
    ElementBase& element;
    ~Removed() {  // also when nobody may delete it
      destroy_tasks_of(element);
      table.type().destroy(element);
      table.elements().tidy();
    }
  } removed{table, element};
  if (table.is_ending()) return;
  if (table.is_sparse())
    note_end_in_sparse(table, index);
  else
    tell_deletion(table, index);
}

void Departure::move(ElementTable& table, ElementBase& element, PeId to) {
  Pe& pe = table.pe();
  const std::uint64_t index = table.number_of(element);
  const std::uint32_t moves = table.moves_of(index) + 1;
  Writer size(nullptr, 0);
  table.type().pack(element, size);
  std::vector<std::byte> bytes(size.bytes());
  Writer out(bytes.data(), bytes.size());
  table.type().pack(element, out);
  using Arrive = TableProcedure<&departure_procedures::arrive, Counting::counted>;
  Arrive::send(pe, to, table.id(), index, ElementAccess::next_reduction(element), moves,
               table.sections().take_turns(index), std::move(bytes));
  table.holds().remove(index);
  table.remove(element);
  if (table.is_sparse())
    note_move_in_sparse(table, index, to);
  else
    tell_move(table, index, {to, moves});
  inbox::take_lost();
  table.type().destroy(element);
  table.elements().tidy();
  check_nothing_lost(table, index);
}

}  // namespace kaon::chares
