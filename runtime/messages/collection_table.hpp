// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

#include "kaon/runtime/messages/collection.hpp"
#include "kaon/runtime/messages/message.hpp"

namespace kaon::runtime {

/// The collections of one PE, by their numbers, and messages for those that it has yet to make.
class CollectionTable {
 public:
  /// nullptr when this PE has not made it yet.
  Collection* find(CollectionId id) const { return id < collections_.size() ? collections_[id].get() : nullptr; }
  /// The messages that waited for it are returned, linked by `next` in the order of their coming. Throws CorruptMessage
  /// when one of them is for a collection of another kind.
  Work* add(CollectionId id, std::unique_ptr<Collection> collection);
  /// Keeps a message for a collection that this PE has yet to make. Throws CorruptMessage.
  void await(Message& message);

  template <class Visit>
  void each(Visit visit) const {
    for (const auto& collection : collections_)
      if (collection != nullptr) visit(*collection);
  }
  /// The lists of messages that wait, each for one collection.
  template <class Visit>
  void each_awaited(Visit visit) const {
    for (const auto& [id, messages] : awaited_) visit(id, messages);
  }
  /// Ends all collections; what waits for others is returned.
  std::vector<Work*> clear();

 private:
  static constexpr CollectionId kMost = 1u << 20;

  std::vector<std::unique_ptr<Collection>> collections_;
  std::unordered_map<CollectionId, WorkList> awaited_;
};

}  // namespace kaon::runtime
