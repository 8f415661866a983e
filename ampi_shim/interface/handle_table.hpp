// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

#include "kaon/ampi_shim/datatypes/handled.hpp"

namespace kaon::ampi {

/// Objects of one rank that handles of one kind lead to, where calls are rare: a handle is looked up, so that any
/// number that is none is known. A handle may be given out more than once, and is then freed as often.
template <class Handle, class Object>
class HandleTable {
 public:
  /// Gives a handle to it, once more if it has one.
  Handle give(std::shared_ptr<Object> object) {
    const std::uintptr_t fresh = HandleWord::make(object.get(), HandleWord::next_number());
    return give_again(std::move(object), reinterpret_cast<Handle>(fresh));
  }
  /// The same for one that had this handle before: nobody else had it.
  Handle give_again(std::shared_ptr<Object> object, Handle handle) {
    Entry& entry = entries_[object.get()];
    if (entry.handles++ == 0) entry.handle = reinterpret_cast<std::uintptr_t>(handle);
    entry.object = std::move(object);
    return reinterpret_cast<Handle>(entry.handle);
  }
  bool empty() const { return entries_.empty(); }
  /// nullptr: no such handle.
  std::shared_ptr<Object> find(Handle handle) const {
    const auto found = place_of(handle);
    return found == entries_.end() ? nullptr : found->second.object;
  }
  /// The handle of an object that has one.
  Handle handle_of(const Object& object) const { return reinterpret_cast<Handle>(entries_.at(&object).handle); }
  /// Calls `visit` with each object.
  template <class Visit>
  void each(Visit&& visit) const {
    for (const auto& [object, entry] : entries_) visit(*entry.object);
  }
  /// False: no such handle.
  bool free(Handle handle) {
    const auto found = place_of(handle);
    if (found == entries_.end()) return false;
    if (--entries_[found->first].handles == 0) entries_.erase(found);
    return true;
  }

 private:
  struct Entry {
    std::shared_ptr<Object> object;  // shared with communicators whose handler it is
    int handles = 0;
    std::uintptr_t handle = 0;
  };
  using Entries = std::unordered_map<const Object*, Entry>;

  typename Entries::const_iterator place_of(Handle handle) const {
    const auto word = reinterpret_cast<std::uintptr_t>(handle);
    const auto found = entries_.find(HandleWord::object<const Object>(word));
    return found == entries_.end() || found->second.handle != word ? entries_.end() : found;
  }
  Entries entries_;
};

}  // namespace kaon::ampi
