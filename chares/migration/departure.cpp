// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/migration/departure.hpp"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "kaon/chares/collectives/census_taking.hpp"
#include "kaon/chares/elements/location_news.hpp"
#include "kaon/chares/elements/resting.hpp"
#include "kaon/chares/elements/sparse_news.hpp"
#include "kaon/chares/migration/balancing.hpp"
#include "kaon/chares/migration/relocation.hpp"
#include "kaon/chares/sending/orders.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/entry_name.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {
namespace {

/// Those of its index that have waited here for what becomes of an element which a landing kept.
void deliver_insertions(ElementTable& table, std::uint64_t element) {
  if (table.is_sparse() && !table.is_ending()) table.forwarding().deliver(element);
}

void check_move(const ElementTable& table, PeId to) {
  const PeId pes = table.pe().process().total_pes();
  if (to >= pes)
    throw UsageError("migrate_to(" + std::to_string(to) + "): the run has PEs 0 to " + std::to_string(pes - 1));
  require_moving(table);
  for (const ElementTable* const bound : table.bonds().bound()) require_moving(*bound);
}

}  // namespace

void require_moving(const ElementTable& table) {
  const Placement& placement = table.locations().placement();
  if (placement.is_of_processes()) throw UsageError("chares of a node group stay with their process: they cannot move");
  if (placement.is_of_places()) throw UsageError("chares of a group stay on their PE: they cannot move");
  if (table.type().unpack == nullptr)
    throw UsageError("chares of " + std::string(type_in(table.type().name, "C")) +
                     " cannot move, as those of the class that it is derived from can: it needs a default constructor "
                     "and a pup of its own");
}

Departure::Departure(ElementTable& table, std::uint64_t element) : PendingDeparture(table), element_(element) {
  run = &attempt;
  priority = std::numeric_limits<std::int32_t>::min();  // the next piece of work
  table.departures().begun().set(element, this);
}

Departure::~Departure() { table_.departures().begun().erase(element_); }

Departure& Departure::of(ElementTable& table, ElementBase& element) {
  const std::uint64_t index = table.number_of(element);
  if (const auto begun = table.departures().begun().find(index)) return static_cast<Departure&>(**begun);
  Pe& pe = table.pe();
  return make<Departure>(pe.activities(), pe.pool(), table, index);
}

std::string Departure::describe() const {
  const std::string what = is_end_ ? "is to end" : "is to move to PE " + std::to_string(to_.value_or(table_.pe().id()));
  return table_.name_of(element_) + ", which " + what + " when nothing of it waits here any more";
}

void Departure::to_pe(ElementTable& table, ElementBase& element, PeId to) {
  ElementTable& leader = mover_of(table);
  ElementBase* const leading = leader.is_ending() ? nullptr : leader.find(table.number_of(element));
  if (leading != nullptr)
    go_to(leader, *leading, to);
  else  // it was deleted: who was bound to it is free
    go_to(table, element, to);
}

void Departure::go_to(ElementTable& table, ElementBase& element, PeId to) {
  check_move(table, to);
  Departure& departure = of(table, element);
  departure.to_ = to;
  departure.try_soon();
}

void Departure::to_end(ElementTable& table, ElementBase& element) {
  if (table.locations().placement().is_of_processes() && !table.is_ending())
    throw UsageError("destroy(): a node group of " + description_of(table) +
                     " has a chare for each process as long as it is there; destroy() of its proxy ends all");
  Departure& departure = of(table, element);
  departure.is_end_ = true;
  departure.try_soon();
}

// Nothing of it runs now, so that most can go at once.
void Departure::send_off(ElementTable& table, ElementBase& element) {
  const std::uint64_t index = table.number_of(element);
  if (table.holds().keeps(index) || table.departures().has_begun(index))
    to_end(table, element);
  else
    destroy(table, element);
}

bool Departure::may_go(ElementBase& element) const {
  if (table_.holds().keeps(element_)) return false;
  return is_end_ || may_move(element);
}

// At the barrier of its array's balancing it waits for the step, which moves it or lets it go on.
bool Departure::may_move(ElementBase& element) const {
  const Balancing* const balancing = table_.find_part<Balancing>();
  if (balancing != nullptr && balancing->awaits(element_)) return false;
  const Activity::List& suspended = ElementAccess::suspended(element);
  if (!suspended.empty() && !(suspended.has_one() && table_.departures().resting().contains(element_))) return false;
  return !table_.bonds().leads() || bonds::mates_are_at_rest(table_, element_);
}

void Departure::attempt(Work& work, Pe& pe) {
  auto& self = static_cast<Departure&>(work);
  self.is_queued_ = false;
  pe.count_done();
  ElementTable& table = self.table_;
  const std::uint64_t number = self.element_;
  ElementBase* const found = table.find(number);
  if (found == nullptr) return self.end();  // its constructor, which asked for this, has thrown
  ElementBase& element = *found;
  if (!self.may_go(element)) {  // until element_is_at_rest()
    if (!table.holds().keeps(number)) deliver_insertions(table, number);
    return;
  }
  const bool is_end = self.is_end_;
  const PeId to = self.to_.value_or(pe.id());
  self.end();
  if (is_end)
    destroy(table, element);
  else if (to != pe.id())
    move(table, element, to);
  else
    stay(table, table.number_of(element));
  deliver_insertions(table, number);
}

void Departure::stay(ElementTable& table, std::uint64_t element) {
  if (const auto resting = table.departures().resting().find(element)) {
    table.departures().resting().erase(element);
    (*resting)->stay();
  }
  if (table.bonds().leads()) bonds::mates_stay(table, element);
  if (Balancing* const balancing = table.find_part<Balancing>()) balancing->element_stays(element);
}

void Departure::destroy(ElementTable& table, ElementBase& element) {
  const std::uint64_t index = table.number_of(element);
  const std::uint32_t next_reduction = ElementAccess::next_reduction(element);
  table.holds().remove(index);
  static_cast<void>(table.sections().take_turns(index));
  WorkList held;
  if (Orders* const orders = table.find_part<Orders>()) orders->element_ended(index, held);
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
  if (!table.is_ending()) tell_end(table, index, next_reduction);
  if (table.bonds().leads()) bonds::mates_stay(table, index);
  if (table.bonds().has_leader()) table.departures().element_is_at_rest(index);
  while (Work* const message = held.take()) table.forwarding().forward(static_cast<Message&>(*message));
}

void Departure::tell_end(ElementTable& table, std::uint64_t element, std::uint32_t next_reduction) {
  if (!table.is_sparse()) return tell_deletion(table, element);
  CensusTaking::note_end(table, next_reduction);
  note_end_in_sparse(table, element);
}

void Departure::move(ElementTable& table, ElementBase& element, PeId to) {
  const std::uint64_t index = table.number_of(element);
  const auto resting = table.departures().resting().find(index);
  std::vector<Message*> continuations = bonds::take_continuations(table, index);
  if (resting) continuations.push_back(&(*resting)->leave());
  Balancing* const balancing = table.find_part<Balancing>();
  const bool is_of_step = balancing != nullptr && balancing->begin_move(index);
  Relocation relocation(table, to, is_of_step);
  relocation.add(element);
  relocation.send();
  for (Message* const continuation : continuations) table.pe().route(*continuation, to);
  if (is_of_step) balancing->look_at_moves();
}

}  // namespace kaon::chares
