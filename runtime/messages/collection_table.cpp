// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/messages/collection_table.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/entry_name.hpp"
#include "kaon/runtime/messages/entry_table.hpp"

namespace kaon::runtime {

struct CollectionTable::Awaited : std::unordered_map<CollectionId, WorkList> {};

CollectionTable::CollectionTable() noexcept = default;
CollectionTable::~CollectionTable() = default;

void CollectionTable::check(CollectionId id) {
  if (id >= kFirstOfClass + kMostClasses) throw CorruptMessage("a message names a collection that cannot be");
}

Collection* CollectionTable::look_up(CollectionId id) const {
  Collection* collection = nullptr;
  if (id >= kFirstOfClass) {
    const std::size_t of_class = id - kFirstOfClass;
    if (of_class < of_classes_.size()) collection = of_classes_[of_class].get();
  } else if (const std::size_t page = id / kPage; page < pages_.size() && pages_[page] != nullptr) {
    collection = pages_[page]->collections[id % kPage].get();
  }
  if (collection != nullptr) found_[id % kFound] = {id, collection};
  return collection;
}

CollectionTable::Page& CollectionTable::page_of(CollectionId id) {
  const std::size_t page = id / kPage;
  if (page >= pages_.size()) {
    pages_.resize(page + 1);
    is_over_.resize(page + 1);
  }
  if (pages_[page] == nullptr) pages_[page] = std::make_unique<Page>();
  return *pages_[page];
}

std::unique_ptr<Collection>& CollectionTable::place_of(CollectionId id) {
  check(id);
  if (id >= kFirstOfClass) {
    if (of_classes_.size() <= id - kFirstOfClass) of_classes_.resize(id - kFirstOfClass + 1);
    return of_classes_[id - kFirstOfClass];
  }
  Page& page = page_of(id);
  if (id == kNoCollection + 1) page.removed |= 1;  // kNoCollection, which is none, keeps no page
  return page.collections[id % kPage];
}

Work* CollectionTable::add(CollectionId id, std::unique_ptr<Collection> collection) {
  if (was_removed(id)) throw CorruptMessage("a message makes a collection that was destroyed");
  place_of(id) = std::move(collection);
  if (awaited_ == nullptr) return nullptr;
  const auto waiting = awaited_->find(id);
  if (waiting == awaited_->end()) return nullptr;
  for (const Work* work = waiting->second.first(); work != nullptr; work = work->next) {
    const EntryRecord& entry = *static_cast<const Message&>(*work).entry;
    if (!find(id)->runs(entry.chare_type))
      throw CorruptMessage("a message for " + std::string(entry.name) + " named a collection of other chares");
  }
  Work* const messages = waiting->second.take_all();
  awaited_->erase(waiting);
  return messages;
}

void CollectionTable::await(Message& message) {
  check(message.collection);
  if (awaited_ == nullptr) awaited_ = std::make_unique<Awaited>();
  (*awaited_)[message.collection].add(message);
}

void CollectionTable::remove(CollectionId id) {
  if (found_[id % kFound].id == id) found_[id % kFound] = {};
  Page& page = *pages_[id / kPage];
  const std::unique_ptr<Collection> removed = std::move(page.collections[id % kPage]);
  page.removed |= std::uint64_t{1} << id % kPage;
  if (~page.removed != 0) return;
  is_over_[id / kPage] = true;
  pages_[id / kPage] = nullptr;
}

void CollectionTable::record_lost(const Message& message, const Collection& collection) {
  ++lost_.count;
  const auto equal = std::find_if(lost_.lines.begin(), lost_.lines.end(), [&message](const Lost::Line& line) {
    return line.entry == message.entry && line.source == message.source && line.collection == message.collection &&
           line.element == message.element;
  });
  if (equal != lost_.lines.end())
    ++equal->count;
  else if (lost_.lines.size() < kMostLostLines)
    lost_.lines.push_back({message.entry, message.source, message.collection, message.element,
                           "a message from PE " + std::to_string(message.source) + " to " +
                               readable_name(message.entry->name) + ", for " + collection.name_of(message.element)});
}

std::vector<Work*> CollectionTable::clear() {
  for (const auto& page : pages_) {
    if (page == nullptr) continue;
    for (auto& collection : page->collections) {
      found_ = {};  // also of what those that went have looked up
      const std::unique_ptr<Collection> over = std::move(collection);
    }
  }
  for (auto& collection : of_classes_) {
    found_ = {};
    const std::unique_ptr<Collection> over = std::move(collection);
  }
  of_classes_.clear();
  pages_.clear();
  is_over_.clear();
  std::vector<Work*> left;
  if (const auto awaited = std::move(awaited_); awaited != nullptr)
    for (auto& [id, messages] : *awaited) left.push_back(messages.take_all());
  return left;
}

}  // namespace kaon::runtime
