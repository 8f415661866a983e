// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/element_table.hpp"

#include <exception>
#include <string>
#include <utility>

#include "kaon/chares/balancing/balancing.hpp"
#include "kaon/chares/collectives/formation.hpp"
#include "kaon/chares/elements/departure.hpp"
#include "kaon/chares/elements/location_news.hpp"
#include "kaon/chares/elements/pursuit.hpp"
#include "kaon/chares/elements/seeds.hpp"
#include "kaon/chares/elements/sparse_news.hpp"
#include "kaon/chares/elements/table_end.hpp"
#include "kaon/chares/sending/orders.hpp"
#include "kaon/chares/sending/parcels.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/entry_name.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/pe/reply.hpp"

namespace kaon::chares {

ElementTable::ElementTable(Pe& pe, CollectionId id, const ElementType& type, Shape shape, Map map)
    : Collection(type.family),
      pe_(pe),
      id_(id),
      type_(type),
      shape_(shape),
      locations_(Placement(map, shape.count(), pe.process().total_pes())),
      elements_(shape.is_sparse() ? Elements(Elements::Sparse{}) : Elements(locations_.placement(), pe.id())) {
  if (!shape.is_sparse()) return;
  const bool is_of_singles = id >= CollectionTable::kFirstOfClass;
  sparse_ = std::make_unique<SparseLocations>(type, pe.id(), pe.process().total_pes(), is_of_singles);
  if (is_of_singles) seeds_ = std::make_unique<Seeds>(*this);
}

ElementTable::~ElementTable() {
  if (is_of_processes() && pe_.id() == pe_.process().first_pe()) pe_.process().node_members().remove(id_);
  elements_.each([&](ElementBase& element) { type_.destroy(element); });
  awaiting_.each([&](std::uint64_t, WorkList* messages) {
    while (Work* work = messages->take()) {
      auto& message = static_cast<Message&>(*work);
      message.entry->destroy(message, pe_.pool());
    }
    pe_.pool().release(messages, sizeof(WorkList));
  });
}

Parcels& ElementTable::make_parcels(const EntryRecord& record) {
  return *parcels_.emplace_back(&record, std::make_unique<Parcels>(pe_, id_, record)).second;
}

Orders& ElementTable::make_orders() { return *(orders_ = std::make_unique<Orders>(*this)); }

PeId ElementTable::where(std::uint64_t element) const {
  if (is_sparse()) return sparse_->guess(element);
  if (element >= placement().count())
    throw CorruptMessage("a message is for element " + std::to_string(element) + " of an array of " + description());
  return locations_.find(element);
}

// --- messages for elements that are not here

void ElementTable::forward(Message& message) {
  if (is_ending()) return drop(message, pe_, kArrayDestroyed);
  if (is_sparse()) return forward_in_sparse(*this, message);
  if (locations_.is_deleted(message.element)) return drop_of_deleted(message);
  const PeId to = where(message.element);
  if (to == pe_.id()) return await_element(message);
  if (message.source != pe_.id())
    tell_location(pe_, message.source, id_, message.element, locations_.whereabouts(message.element));
  if (!Pursuit::keeps(*this, message)) send_on(message, to);
}

void ElementTable::pass_on(Message& message) {
  if (find(message.element) != nullptr || locations_.is_deleted(message.element)) return pe_.enqueue(message);
  const PeId to = where(message.element);
  if (to != pe_.id()) return send_on(message, to);
  if (message.entry->element_is_gone != nullptr) return pe_.enqueue(message);  // perhaps it is
  await_element(message);
}

void ElementTable::send_on(Message& message, PeId to) {
  if (message.hops < 255) ++message.hops;
  route_on(pe_, message, to);
  pe_.count_done();  // what this PE was sent is done; what it sent on has been counted
}

void ElementTable::await_element(Message& message) {
  WorkList* waiting = awaiting_.find(message.element).value_or(nullptr);
  if (waiting == nullptr) {
    waiting = new (pe_.pool().allocate(sizeof(WorkList))) WorkList;
    awaiting_.set(message.element, waiting);
  }
  waiting->add(message);
  if (is_sparse()) pe_.count_dependent(1);
}

WorkList ElementTable::take_awaiting(std::uint64_t element) {
  WorkList* waiting = awaiting_.find(element).value_or(nullptr);
  if (waiting == nullptr) return {};
  awaiting_.erase(element);
  const WorkList messages = *waiting;
  pe_.pool().release(waiting, sizeof(WorkList));
  return messages;
}

void ElementTable::deliver_awaiting(std::uint64_t element) {
  WorkList messages = take_awaiting(element);
  while (Work* message = messages.take()) {
    if (is_sparse()) pe_.count_dependent(-1);
    pe_.enqueue(*message);
  }
}

namespace {

/// Whether dropping it loses something of the program's: no error tells a caller, and it is no message of the runtime's
/// that means nothing without the element.
bool is_lost(const Message& message) {
  return !message.reply && !(message.flags & (kControlMessage | kContinuation)) && !message.entry->needs_no_room;
}

}  // namespace

void ElementTable::drop_of_deleted(Message& message) {
  if (message.entry->element_is_gone != nullptr) return drop_as_gone(message, pe_);
  if (is_lost(message)) pe_.collections().record_lost(message, *this);
  drop(message, pe_, "that element was deleted", " of " + name_of(message.element));
}

// --- the coming and going of elements

void ElementTable::adopt(ElementBase& element) {
  elements_.add(element);
  reductions_.element_arrived(ElementAccess::next_reduction(element));
  if (!awaiting_.empty()) deliver_awaiting(number_of(element));
  if (end_ != nullptr) [[unlikely]]
    end_->element_came();
}

ElementBase::Position ElementTable::position(std::uint64_t element, std::uint32_t next_reduction) {
  const std::uint64_t index = is_sparse() ? elements_.reserve(element) : element;
  return {this, index | std::uint64_t{next_reduction} << ElementAccess::kIndexBits};
}

PeId ElementTable::place_of(std::uint64_t element) const {
  return type_.place(element, shape_, pe_.process().total_pes());
}

void ElementTable::publish(ElementBase& element) { pe_.process().node_members().add(id_, published_ = &element); }

ElementBase* ElementTable::published() {
  if (published_ == nullptr) [[unlikely]]
    published_ = static_cast<ElementBase*>(pe_.process().node_members().find(id_));
  return published_;
}

void ElementTable::require_moving() const {
  if (is_of_processes()) throw UsageError("chares of a node group stay with their process: they cannot move");
  if (is_of_places()) throw UsageError("chares of a group stay on their PE: they cannot move");
  if (type_.unpack == nullptr)
    throw UsageError("chares of " + std::string(type_in(type_.name, "C")) +
                     " cannot move, as those of the class that it is derived from can: it needs a default constructor "
                     "and a pup of its own");
}

void ElementTable::forgo(const ElementBase::Position& position, std::uint64_t element) {
  if (is_sparse()) elements_.forgo(position.index_and_reduction & ElementAccess::kIndexMask);
  if (balancing_ != nullptr) balancing_->forget(element);
}

void ElementTable::remove(ElementBase& element) {
  const std::uint64_t number = number_of(element);
  elements_.remove(element);
  if (is_ending()) return look_for_end();
  reductions_.element_left();
  if (balancing_ != nullptr) balancing_->element_left(number);
}

Balancing& ElementTable::begin_balancing(PeId centre) {
  balancing_ = std::make_unique<Balancing>(*this, centre);
  return *balancing_;
}

void ElementTable::bury(std::uint64_t element) {
  if (element >= placement().count()) throw CorruptMessage("the end of an element that does not exist was announced");
  locations_.bury(element);
  if (has_orders()) orders_->end_home_line(element);
  if (!reductions_.empty()) throw_deleted_before_contribution();
  if (!sections_.empty() && placement().home(element) == pe_.id()) formation::note_end_of_member(*this, element);
  if (!awaiting_.empty()) deliver_awaiting(element);  // which finds nobody, and is dropped
}

void ElementTable::throw_deleted_before_contribution() const {
  throw UsageError("elements of an array of " + description() +
                   " were deleted, so contribute() cannot have a value of every element: use call_all() instead");
}

void ElementTable::try_departure(std::uint64_t element) {
  if (const auto departure = departures_.find(element)) (*departure)->try_soon();
  if (!bonds_.has_leader()) return;
  if (const auto departure = mover().departures_.find(element)) (*departure)->try_soon();
}

void free_landing(const Message& message) noexcept {
  auto* table = static_cast<ElementTable*>(this_pe().collections().find(message.collection));
  if (table != nullptr) table->holds().free(message.element, &message);
}

// --- the end

void ElementTable::begin_end(TableEnd& end) {
  end_ = &end;
  std::vector<std::uint64_t> awaited;
  awaiting_.each([&](std::uint64_t element, WorkList*) { awaited.push_back(element); });
  for (const std::uint64_t element : awaited) {
    WorkList messages = take_awaiting(element);
    while (Work* message = messages.take()) {
      if (is_sparse()) pe_.count_dependent(-1);
      drop(static_cast<Message&>(*message), pe_, kArrayDestroyed);
    }
  }
  while (!pursuits_.empty()) pursuits_.any()->drop_all();
  if (!has_orders()) return;
  WorkList held = orders_->take_all_held();
  while (Work* message = held.take()) drop(static_cast<Message&>(*message), pe_, kArrayDestroyed);
}

void ElementTable::look_for_end() { end_->look_soon(); }

void destroy_tasks_of(ElementBase& element) { ElementAccess::suspended(element).clear(); }

void ElementTable::destroy_tasks() { elements_.each(destroy_tasks_of); }

}  // namespace kaon::chares
