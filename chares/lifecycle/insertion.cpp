// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/lifecycle/insertion.hpp"

#include <string>

#include "kaon/chares/elements/destination.hpp"
#include "kaon/chares/elements/sparse_locations.hpp"
#include "kaon/chares/elements/sparse_news.hpp"
#include "kaon/chares/elements/table_procedure.hpp"
#include "kaon/chares/migration/balancing.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/entry_name.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {
namespace insertion_procedures {  // not unnamed: entries are told apart by their names

void uncount(ElementTable& table, std::uint32_t first_reduction) {
  CensusTaking::note_end(table, first_reduction);
  if (Balancing* const balancing = table.find_part<Balancing>()) balancing->insertion_failed();
}

void forget_place(ElementTable& table, std::uint64_t element) { note_end_in_sparse(table, element); }

}  // namespace insertion_procedures

namespace insertion {
namespace {

using Stage = InsertionWay::Stage;

/// The element of the array whose entry runs now, if there is one: who inserts another takes it into its next
/// reduction.
const ElementBase* running_element(ElementTable& table) {
  Pe& pe = table.pe();
  if (const Root* const root = pe.root()) {
    const auto* element = static_cast<const ElementBase*>(root->element());
    return element != nullptr && &ElementAccess::table(*element) == &table ? element : nullptr;
  }
  const std::uint64_t number = pe.running().element_of(table.id());
  return number != RunningEntry::kNoElement ? table.find(number) : nullptr;
}

/// What cannot be packed comes to nothing, as what cannot be constructed does. The message is gone then.
void tell_of_failure(ElementTable& table, const ResultTo& awaited, std::uint64_t element) {
  const std::exception_ptr error = std::current_exception();
  if (!give_failure(table.pe(), awaited, error)) table.pe().fail(error, "insert() of " + table.name_of(element));
}

Step go_on(ElementTable& table, Message& message, PeId to) {
  const ResultTo awaited{message.source, message.reply};
  const std::uint64_t element = message.element;
  if (message.hops < 255) ++message.hops;
  try {
    table.pe().route(message, to);
  } catch (...) {
    tell_of_failure(table, awaited, element);
  }
  table.pe().count_done();
  return Step::waits_or_went_on;
}

void check(ElementTable& table, const Message& message, const InsertionWay& way) {
  if (!table.is_sparse())
    throw UsageError(
        "insert(): an array of " + description_of(table) +
        " has all its elements from the start; create_sparse() makes one into which elements are inserted");
  const PeId pes = table.pe().process().total_pes();
  if (way.to != InsertionWay::kAtHome && way.to >= pes)
    throw UsageError("insert_on(" + std::to_string(way.to) + "): the run has PEs 0 to " + std::to_string(pes - 1));
  if (table.find(message.element) != nullptr)
    throw UsageError("insert(): " + table.name_of(message.element) + " exists already");
}

// From now on the element is one that was here and is to come back, for a second insertion and for what is sent to it.
Step seek_leader(ElementTable& table, Message& message, InsertionWay& way) {
  SparseLocations& locations = table.sparse_locations();
  if (locations.known(message.element)) {
    table.forwarding().await_element(message);
    return Step::waits_or_went_on;
  }
  if (way.to != InsertionWay::kAtHome)
    throw UsageError("insert_on(): an element of an array of " + description_of(table) +
                     " is where the one is that it is bound to: insert() makes it there");
  locations.inserted(message.element, table.pe().id());
  way.stage = Stage::seeks_leader;
  way.bound = table.id();
  message.collection = mover_of(table).id();
  return go_on(table, message, table.pe().id());
}

Step step_at_home(ElementTable& table, Message& message, InsertionWay& way) {
  SparseLocations& locations = table.sparse_locations();
  const PeId here = table.pe().id();
  if (locations.is_ending(message.element)) {  // the one before it, of which something is still to come
    way.stage = Stage::asks_home;
    table.forwarding().await_element(message);
    return Step::waits_or_went_on;
  }
  if (const auto holder = locations.elsewhere(message.element)) {  // perhaps it is no more, and we have yet to hear it
    way.stage = Stage::asks_holder;
    return go_on(table, message, *holder);
  }
  if (table.bonds().has_leader()) return seek_leader(table, message, way);
  if (way.to == InsertionWay::kAtHome || way.to == here) return Step::make;
  way.stage = Stage::makes;
  locations.inserted(message.element, way.to);
  table.forwarding().deliver(message.element);  // which goes on to there
  return go_on(table, message, way.to);
}

}  // namespace

void check_class(const ElementTable& table, const ElementType& type) {
  if (&table.type() != &type)
    throw UsageError("insert() by a name of an array of " + std::string(type_in(type.name, "C")) +
                     ": this one's elements are " + std::string(type_in(table.type().name, "C")) +
                     ", so insert by the name that create_sparse() gave");
}

void count(ElementTable& table, InsertionWay& way) {
  const ElementBase* const parent = running_element(table);
  way.first_reduction = parent != nullptr ? ElementAccess::next_reduction(*parent) : table.census().first_of_newcomer();
  way.is_counted = true;
  table.census().born(way.first_reduction);
  if (Balancing* const balancing = table.find_part<Balancing>()) balancing->insertion_begins();
}

// This PE has perhaps yet to make the array.
void forgo(Pe& pe, CollectionId collection, std::uint64_t element, const InsertionWay& way) {
  const CollectionId id = way.stage == Stage::seeks_leader ? way.bound : collection;
  const bool is_placed = way.stage == Stage::makes || way.stage == Stage::seeks_leader;
  if (way.is_counted) TableProcedure<&insertion_procedures::uncount>::send(pe, pe.id(), id, way.first_reduction);
  if (is_placed) TableProcedure<&insertion_procedures::forget_place>::send(pe, pe.id(), id, element);
}

void begin(InsertionWay& way, Pe& pe, Message& message) {
  runtime::OwnedMessage owned(&message, {&pe.pool()});  // until its way is known
  const PeId home = proxy::home_of(message.collection, message.element).to;
  ElementTable* const table = find_table(pe.collections(), message.collection);
  if (table != nullptr) count(*table, way);
  pe.route(*owned.release(), home);
}

// A payload that is landing in its memory keeps an element that is to go, perhaps for good: that is known when it goes.
bool is_kept(ElementTable& table, std::uint64_t element) {
  return table.find(element) != nullptr && table.departures().has_begun(element) && table.holds().keeps(element);
}

ElementTable* table_for(Message& message, InsertionWay& way, Pe& pe) {
  ElementTable* const table = living_table(message, pe);
  if (table == nullptr || way.stage != Stage::seeks_leader) return table;
  if (table->find(message.element) == nullptr) {
    table->forwarding().forward(message);
    return nullptr;
  }
  message.collection = way.bound;
  return living_table(message, pe);
}

Step next_step(ElementTable& table, Message& message, InsertionWay& way) {
  if (table.is_sparse() && is_kept(table, message.element)) {
    table.forwarding().await_element(message);  // until the departure is tried again
    return Step::waits_or_went_on;
  }
  check(table, message, way);
  if (way.stage == Stage::seeks_leader) return Step::make;  // it has found it
  const PeId home = table.sparse_locations().home(message.element);
  if (home == table.pe().id()) return step_at_home(table, message, way);
  if (way.stage == Stage::makes) return Step::make;
  way.stage = Stage::asks_home;
  return go_on(table, message, home);
}

void finish(ElementTable& table, Message& message, const std::exception_ptr& error) {
  Pe& pe = table.pe();
  const ResultTo to{message.source, message.reply};
  message.entry->destroy(message, pe.pool());
  pe.count_done();
  Balancing* const balancing = table.find_part<Balancing>();
  if (error && balancing != nullptr) balancing->insertion_failed();
  if (!error) return give_result<Nothing>(pe, to, Nothing{});
  if (!to.reply) std::rethrow_exception(error);
  pe.failures().note_origin(error, describe_running(pe));
  give_failure(pe, to, error);
}

}  // namespace insertion
}  // namespace kaon::chares
