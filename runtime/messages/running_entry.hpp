// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/runtime/base/short_text.hpp"
#include "kaon/runtime/messages/message.hpp"

namespace kaon::runtime {

class CollectionTable;

/// Which message a PE is busy with, for what is said of errors and crashes. It is noted before anything can go wrong
/// with the message, and forgotten when what follows has nothing to do with it: a stale one would blame the innocent.
class RunningEntry {
 public:
  /// The element of a message for all elements, until it is known which one runs.
  static constexpr std::uint64_t kNoElement = ~std::uint64_t{0};

  void note(const Message& message, std::uint64_t element) {
    note_reading(*message.entry, element, message.collection, message.source);
    is_read_ = false;
  }
  /// One that runs without a message of its own.
  void note_running(const EntryRecord& entry, std::uint64_t element, CollectionId collection, PeId source) {
    note_reading(entry, element, collection, source);
    is_read_ = false;
  }
  void note_element(std::uint64_t element) { element_ = element; }
  /// A message of which the header is known and the arguments are about to be read.
  void note_reading(const EntryRecord& entry, std::uint64_t element, CollectionId collection, PeId source) {
    entry_ = &entry;
    element_ = element;
    collection_ = collection;
    source_ = source;
    is_read_ = true;
  }
  void forget() { entry_ = nullptr; }
  /// The collection of the message that runs; kNoCollection if none runs.
  CollectionId collection() const { return entry_ != nullptr && !is_read_ ? collection_ : kNoCollection; }
  /// kNoElement when it is for no element of this collection.
  std::uint64_t element_of(CollectionId collection) const {
    return entry_ != nullptr && !is_read_ && collection_ == collection ? element_ : kNoElement;
  }

  /// Nothing when there is none. Takes no memory.
  void say(const CollectionTable& collections, ShortText& text) const;

 private:
  const EntryRecord* entry_ = nullptr;
  std::uint64_t element_ = 0;
  CollectionId collection_ = kNoCollection;
  PeId source_ = 0;
  bool is_read_ = false;
};

}  // namespace kaon::runtime
