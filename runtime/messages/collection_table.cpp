// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/messages/collection_table.hpp"

#include <string>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/entry_table.hpp"

namespace kaon::runtime {

Work* CollectionTable::add(CollectionId id, std::unique_ptr<Collection> collection) {
  if (id >= collections_.size()) collections_.resize(id + 1);
  collections_[id] = std::move(collection);
  const auto waiting = awaited_.find(id);
  if (waiting == awaited_.end()) return nullptr;
  for (const Work* work = waiting->second.first(); work != nullptr; work = work->next) {
    const EntryRecord& entry = *static_cast<const Message&>(*work).entry;
    if (!collections_[id]->runs(entry.chare_type))
      throw CorruptMessage("a message for " + std::string(entry.name) + " named a collection of other chares");
  }
  Work* const messages = waiting->second.take_all();
  awaited_.erase(waiting);
  return messages;
}

void CollectionTable::await(Message& message) {
  if (message.collection >= kMost) throw CorruptMessage("a message names a collection that cannot be");
  awaited_[message.collection].add(message);
}

std::vector<Work*> CollectionTable::clear() {
  collections_.clear();
  std::vector<Work*> left;
  for (auto& [id, messages] : awaited_) left.push_back(messages.take_all());
  awaited_.clear();
  return left;
}

}  // namespace kaon::runtime
