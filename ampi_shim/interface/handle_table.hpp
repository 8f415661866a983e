// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <unordered_map>
#include <utility>

namespace kaon::ampi {

/// Objects of one rank that handles of one kind lead to, where calls are rare: a handle is looked up, so that any
/// number that is none is known. A handle may be given out more than once, and is then freed as often.
template <class Handle, class Object>
class HandleTable {
 public:
  /// Gives a handle to it, once more if it has one.
  Handle give(std::shared_ptr<Object> object) {
    const Handle handle = reinterpret_cast<Handle>(object.get());
    Entry& entry = entries_[handle];
    entry.object = std::move(object);
    ++entry.handles;
    return handle;
  }
  bool empty() const { return entries_.empty(); }
  /// nullptr: no such handle.
  std::shared_ptr<Object> find(Handle handle) const {
    const auto found = entries_.find(handle);
    return found == entries_.end() ? nullptr : found->second.object;
  }
  /// False: no such handle.
  bool free(Handle handle) {
    const auto found = entries_.find(handle);
    if (found == entries_.end()) return false;
    if (--found->second.handles == 0) entries_.erase(found);
    return true;
  }

 private:
  struct Entry {
    std::shared_ptr<Object> object;  // shared with communicators whose handler it is
    int handles = 0;
  };
  std::unordered_map<Handle, Entry> entries_;
};

}  // namespace kaon::ampi
