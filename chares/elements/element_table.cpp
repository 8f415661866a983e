// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/element_table.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "kaon/chares/elements/location.hpp"
#include "kaon/chares/collectives/reduction_state.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {
namespace {

thread_local ElementTable* constructing_table = nullptr;
thread_local std::uint64_t constructing_place = 0;

}  // namespace

ElementBase::ElementBase() : table_(constructing_table), element_(constructing_place) {}

ElementTable::Construction::Construction(ElementTable& table, std::uint64_t element_and_reduction) {
  constructing_table = &table;
  constructing_place = element_and_reduction;
}

ElementTable::Construction::~Construction() { constructing_table = nullptr; }

ElementTable::ElementTable(Pe& pe, CollectionId id, const void* chare_type, Shape shape, Map map)
    : Collection(chare_type),
      pe_(pe),
      id_(id),
      shape_(shape),
      placement_(map, shape.count(), pe.process().total_pes()),
      first_(map == Map::block ? placement_.element(pe.id(), 0) : 0),
      direct_(map == Map::block ? placement_.homed(pe.id()) : 0),
      slots_(placement_.homed(pe.id())) {}

ElementTable::~ElementTable() {
  for (auto& [element, first] : awaiting_)
    for (Work* work = first; work != nullptr;) {
      auto& message = static_cast<Message&>(*std::exchange(work, work->next));
      message.entry->destroy(message, pe_);
    }
}

ElementBase* ElementTable::find_elsewhere(std::uint64_t element) const {
  const std::uint64_t slot = placement_.slot(element, pe_.id());
  if (slot < slots_.size()) return slots_[slot];
  if (visitors_.empty()) return nullptr;
  const auto visitor = visitor_at_.find(element);
  return visitor != visitor_at_.end() ? visitors_[visitor->second] : nullptr;
}

PeId ElementTable::where(std::uint64_t element) const {
  if (element >= placement_.count())
    throw CorruptMessage("a message is for element " + std::to_string(element) + " of an array of " +
                         to_string(shape_));
  if (!known_.empty())
    if (const auto known = known_.find(element); known != known_.end()) return known->second.pe;
  return placement_.home(element);
}

void ElementTable::forward(Message& message) {
  if (!deleted_.empty() && deleted_.contains(message.element)) return drop(message);
  const PeId to = where(message.element);
  if (to == pe_.id()) return await_element(message);
  if (message.source != pe_.id())
    tell_location(pe_, message.source, id_, message.element, whereabouts(message.element));
  if (message.hops < 255) ++message.hops;
  pe_.route(message, to);
  pe_.done();  // what this PE was sent is done; what it sent on has been counted
}

void ElementTable::await_element(Message& message) {
  Message*& first = awaiting_[message.element];
  message.next = std::exchange(first, &message);
}

void ElementTable::bury(std::uint64_t element) {
  if (element >= placement_.count()) throw CorruptMessage("the end of an element that does not exist was announced");
  deleted_.insert(element);
  if (!reductions_.empty()) throw_deleted_before_contribution();
  if (!awaiting_.empty()) deliver_awaiting(element);  // which finds nobody, and is dropped
}

// Not sent on: its payloads were received all the same, so that their senders are done with them.
void ElementTable::drop(Message& message) {
  std::string complaint;
  if (message.reply)
    complaint = "PE " + std::to_string(message.source) + " waits for a result of " + name_of(message.element) +
                ", which was deleted";
  message.entry->destroy(message, pe_);
  if (!complaint.empty()) throw UsageError(complaint);
  pe_.done();
}

void ElementTable::throw_deleted_before_contribution() const {
  throw UsageError("elements of an array of " + to_string(shape_) +
                   " were deleted, so contribute() cannot have a value of every element: use call_all() instead");
}

void ElementTable::deliver_awaiting(std::uint64_t element) {
  const auto waiting = awaiting_.find(element);
  if (waiting == awaiting_.end()) return;
  Work* work = waiting->second;
  awaiting_.erase(waiting);
  while (work != nullptr) pe_.enqueue(*std::exchange(work, work->next));
}

Whereabouts ElementTable::whereabouts(std::uint64_t element) const {
  const auto known = known_.find(element);
  return known != known_.end() ? known->second : Whereabouts{placement_.home(element), 0};
}

void ElementTable::learn(std::uint64_t element, Whereabouts now) {
  if (element >= placement_.count()) throw CorruptMessage("the place of an element that does not exist was announced");
  Whereabouts& known = known_.try_emplace(element, Whereabouts{now.pe, 0}).first->second;
  if (now.moves >= known.moves) known = now;
}

void ElementTable::adopt(ElementBase& element) {
  const std::uint64_t index = index_of(element);
  const std::uint64_t slot = placement_.slot(index, pe_.id());
  if (slot < slots_.size()) {
    slots_[slot] = &element;
  } else {
    visitor_at_[index] = visitors_.size();
    visitors_.push_back(&element);
  }
  ++local_count_;
  if (!awaiting_.empty()) deliver_awaiting(index);
  newest_arrival_ = std::max(newest_arrival_, static_cast<std::uint32_t>(element.element_ >> kIndexBits));
}

void ElementTable::remove(ElementBase& element) {
  const std::uint64_t index = index_of(element);
  const std::uint64_t slot = placement_.slot(index, pe_.id());
  --local_count_;
  if (slot < slots_.size())
    slots_[slot] = nullptr;
  else
    remove_visitor(index);
  for (auto& [number, reduction] : reductions_) reduction->element_left();
}

void ElementTable::remove_visitor(std::uint64_t index) {
  const std::size_t at = visitor_at_.at(index);
  visitor_at_.erase(index);
  if (visitors_[at] != visitors_.back()) visitor_at_[index_of(*visitors_.back())] = at;
  visitors_[at] = visitors_.back();
  visitors_.pop_back();
}

std::uint32_t ElementTable::next_reduction(ElementBase& element) {
  const auto number = static_cast<std::uint32_t>(element.element_ >> kIndexBits);
  element.element_ += std::uint64_t{1} << kIndexBits;  // wraps around within its 24 bits
  return number;
}

void ElementTable::add_suspended(ElementBase& element, RootTask& task) {
  task.previous = nullptr;
  task.next = element.suspended_;
  if (task.next != nullptr) task.next->previous = &task;
  element.suspended_ = &task;
}

void ElementTable::remove_suspended(ElementBase& element, RootTask& task) {
  (task.previous != nullptr ? task.previous->next : element.suspended_) = task.next;
  if (task.next != nullptr) task.next->previous = task.previous;
}

void ElementTable::destroy_tasks_of(ElementBase& element) {
  while (RootTask* task = element.suspended_) {
    element.suspended_ = task->next;
    if (task->next != nullptr) task->next->previous = nullptr;
    task->abandoned(*task);
  }
}

std::string ElementTable::name_of(std::uint64_t element) const {
  return "element " + to_string(shape_.index(element)) + " of " + to_string(shape_);
}

void ElementTable::destroy_tasks() {
  for (std::uint64_t place = 0; place < places(); ++place)
    if (ElementBase* element = at_place(place)) destroy_tasks_of(*element);
}

}  // namespace kaon::chares
