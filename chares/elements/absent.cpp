// SPDX-License-Identifier: Apache-2.0
// What becomes of messages for collections and elements that are not here, or no more.
#include <exception>
#include <memory>
#include <string>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/waits/result.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/entry_name.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {

void drop_as_gone(Message& message, Pe& pe) {
  const EntryRecord& entry = *message.entry;
  const PeId source = message.source;
  const ReplyTo reply = message.reply;
  entry.destroy(message, pe.pool());
  entry.element_is_gone(pe, source, reply);
  pe.count_done();
}

// Not sent on: its payloads were received all the same, so that their senders are done with them.
void drop(Message& message, Pe& pe, const std::string& why, const std::string& of) {
  const ResultTo to{message.source, message.reply};
  const bool is_counted = !(message.flags & kControlMessage);
  const EntryRecord& entry = *message.entry;
  entry.destroy(message, pe.pool());
  if (is_counted) pe.count_done();
  if (!to.reply) return;
  const std::string text = "the result of the entry " + readable_name(entry.name) + of + " was awaited, but " + why;
  give_failure(pe, to, std::make_exception_ptr(UsageError(text)));
}

ElementTable& table_of_singles(Pe& pe, CollectionId id, const ElementType& type) {
  if (ElementTable* const known = find_table(pe.collections(), id)) [[likely]]
    return *known;
  auto made = std::make_unique<ElementTable>(pe, id, type, Shape::sparse(), Map::block);
  ElementTable& table = *made;
  add_collection(pe, id, std::move(made));
  return table;
}

namespace {

/// The class whose single chares a message is for one of; nullptr: it is for an array. A message may name an entry of a
/// base of the class, or be one that any collection takes, as a chare is that moves to where none of its class has
/// been: so the number of the collection has to tell.
const ElementType* type_of_singles(const Message& message, Pe& pe) {
  if (message.collection < CollectionTable::kFirstOfClass) return nullptr;
  const void* const family = message.entry->chare_type;
  const EntryRecord* const record = pe.process().entries().find(message.collection - CollectionTable::kFirstOfClass);
  const bool is_class = record != nullptr && record->invoke == &refuse_to_run_single;
  const auto* const type = is_class ? static_cast<const ElementType*>(record->chare_type) : nullptr;
  if (type == nullptr || (family != &kAnyCollection && type->family != family))
    throw CorruptMessage("a message is for a single chare of a class that there is not");
  return type;
}

}  // namespace

void refuse_to_run_single(Work&, Pe&) { throw CorruptMessage("a message came that is none"); }

void take_absent(Message& message, Pe& pe) {
  if (const ElementType* const type = type_of_singles(message, pe)) {
    table_of_singles(pe, message.collection, *type);
    return pe.enqueue(message);
  }
  if (pe.collections().was_removed(message.collection)) return drop(message, pe, kArrayDestroyed);
  pe.collections().await(message);
}

ElementTable* living_table(Message& message, Pe& pe) {
  ElementTable* table = find_table(pe.collections(), message.collection);
  if (table != nullptr && !table->is_ending()) return table;
  if (table == nullptr)
    take_absent(message, pe);
  else
    drop(message, pe, kArrayDestroyed);
  return nullptr;
}

ElementTable* table_to_run_on(Message& message, Pe& pe) {
  pe.running().note(message, RunningEntry::kNoElement);
  return living_table(message, pe);
}

}  // namespace kaon::chares
