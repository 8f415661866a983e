// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/forwarding.hpp"

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/elements/location_news.hpp"
#include "kaon/chares/elements/pursuit.hpp"
#include "kaon/chares/elements/sparse_locations.hpp"
#include "kaon/chares/elements/sparse_news.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/entry_name.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

Forwarding::~Forwarding() {
  Pool& pool = table_.pe().pool();
  awaiting_.each([&](std::uint64_t, WorkList* messages) {
    while (Work* work = messages->take()) {
      auto& message = static_cast<Message&>(*work);
      message.entry->destroy(message, pool);
    }
    pool.release(messages, sizeof(WorkList));
  });
}

PeId Forwarding::where(std::uint64_t element) const {
  if (table_.is_sparse()) return table_.sparse_locations().guess(element);
  if (element >= table_.locations().placement().count())
    throw CorruptMessage("a message is for element " + std::to_string(element) + " of an array of " +
                         description_of(table_));
  return table_.locations().find(element);
}

std::uint32_t Forwarding::moves_of(std::uint64_t element) const {
  return table_.is_sparse() ? table_.sparse_locations().moves(element) : table_.locations().whereabouts(element).moves;
}

void Forwarding::forward(Message& message) {
  Pe& pe = table_.pe();
  if (table_.is_ending()) return drop(message, pe, kArrayDestroyed);
  if (table_.is_sparse()) return forward_in_sparse(table_, message);
  if (table_.locations().is_deleted(message.element)) return drop_of_deleted(message);
  const PeId to = where(message.element);
  if (to == pe.id()) return await_element(message);
  if (message.source != pe.id())
    tell_location(pe, message.source, table_.id(), message.element, table_.locations().whereabouts(message.element));
  if (!Pursuit::keeps(table_, message)) send_on(message, to);
}

void Forwarding::pass_on(Message& message) {
  Pe& pe = table_.pe();
  if (table_.find(message.element) != nullptr || table_.locations().is_deleted(message.element))
    return pe.enqueue(message);
  const PeId to = where(message.element);
  if (to != pe.id()) return send_on(message, to);
  if (message.entry->element_is_gone != nullptr) return pe.enqueue(message);  // perhaps it is
  await_element(message);
}

void Forwarding::send_on(Message& message, PeId to) {
  if (message.hops < 255) ++message.hops;
  route_on(table_.pe(), message, to);
  table_.pe().count_done();  // what this PE was sent is done; what it sent on has been counted
}

void Forwarding::await_element(Message& message) {
  WorkList* waiting = awaiting_.find(message.element).value_or(nullptr);
  if (waiting == nullptr) {
    waiting = new (table_.pe().pool().allocate(sizeof(WorkList))) WorkList;
    awaiting_.set(message.element, waiting);
  }
  waiting->add(message);
  if (table_.is_sparse()) table_.pe().waits().count_dependent(1);
}

WorkList Forwarding::take(std::uint64_t element) {
  WorkList* waiting = awaiting_.find(element).value_or(nullptr);
  if (waiting == nullptr) return {};
  awaiting_.erase(element);
  const WorkList messages = *waiting;
  table_.pe().pool().release(waiting, sizeof(WorkList));
  return messages;
}

void Forwarding::deliver_all(std::uint64_t element) {
  WorkList messages = take(element);
  while (Work* message = messages.take()) {
    if (table_.is_sparse()) table_.pe().waits().count_dependent(-1);
    table_.pe().enqueue(*message);
  }
}

namespace {

/// Whether dropping it loses something of the program's: no error tells a caller, and it is no message of the runtime's
/// that means nothing without the element.
bool is_lost(const Message& message) {
  return !message.reply && !(message.flags & (kControlMessage | kContinuation)) && !message.entry->needs_no_room;
}

}  // namespace

void Forwarding::drop_of_deleted(Message& message) {
  Pe& pe = table_.pe();
  if (message.entry->element_is_gone != nullptr) return drop_as_gone(message, pe);
  if (is_lost(message)) pe.collections().record_lost(message, table_);
  drop(message, pe, "that element was deleted", " of " + table_.name_of(message.element));
}

void Forwarding::drop_all() {
  std::vector<std::uint64_t> awaited;
  awaiting_.each([&](std::uint64_t element, WorkList*) { awaited.push_back(element); });
  for (const std::uint64_t element : awaited) {
    WorkList messages = take(element);
    while (Work* message = messages.take()) {
      if (table_.is_sparse()) table_.pe().waits().count_dependent(-1);
      drop(static_cast<Message&>(*message), table_.pe(), kArrayDestroyed);
    }
  }
  while (!pursuits_.empty()) pursuits_.any()->drop_all();
}

// --- what waits, for people

std::uint64_t Forwarding::list(std::uint64_t element, const WorkList& messages, std::vector<std::string>& lines,
                               std::size_t most) const {
  std::uint64_t count = 0;
  for (const Work* work = messages.first(); work != nullptr; work = work->next, ++count) {
    const auto& message = static_cast<const Message&>(*work);
    if (lines.size() < most)
      lines.push_back("a message from PE " + std::to_string(message.source) + " to " +
                      readable_name(message.entry->name) + ", for " + table_.name_of(element) + ", which is not there");
  }
  return count;
}

std::uint64_t Forwarding::list_awaited(std::vector<std::string>& lines, std::size_t most) const {
  std::uint64_t count = 0;
  awaiting_.each(
      [&](std::uint64_t element, const WorkList* messages) { count += list(element, *messages, lines, most); });
  return count;
}

/// Elements of dense arrays were all made: one that is awaited is on its way. Of a sparse one the home knows.
bool Forwarding::is_known(std::uint64_t element) const {
  if (!table_.is_sparse()) return true;
  const SparseLocations& locations = table_.sparse_locations();
  return !locations.is_home(element) || locations.known(element);
}

std::uint64_t Forwarding::list_unclaimed(std::vector<std::string>& lines, std::size_t most) const {
  std::uint64_t count = 0;
  awaiting_.each([&](std::uint64_t element, const WorkList* messages) {
    if (!is_known(element)) count += list(element, *messages, lines, most);
  });
  return count;
}

}  // namespace kaon::chares
