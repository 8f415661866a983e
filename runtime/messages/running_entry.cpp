// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/messages/running_entry.hpp"

#include "kaon/runtime/messages/collection_table.hpp"
#include "kaon/runtime/messages/entry_name.hpp"
#include "kaon/runtime/messages/entry_table.hpp"

namespace kaon::runtime {

void RunningEntry::say(const CollectionTable& collections, ShortText& text) const {
  if (entry_ == nullptr) return;
  const EntryName name = entry_name(entry_->name);
  const bool is_of_chare = entry_->chare_type != nullptr && entry_->chare_type != &kAnyCollection;
  if (is_read_) text << "the reading of a message for ";
  text << (name.is_constructor() ? "the " : is_of_chare ? "the entry " : "the runtime's own ");
  text << name.before << name.name;
  const Collection* collection = is_of_chare ? collections.find(collection_) : nullptr;
  if (collection != nullptr && element_ != kNoElement) {
    text << " of ";
    collection->say_name(element_, text);
  }
  text << (is_read_ ? ", which came from PE " : ", run by a message from PE ") << source_;
}

}  // namespace kaon::runtime
