// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// The members of node groups in a process, by the numbers of the groups: so that PEs other than a member's own find
/// it. Each looks once a group, and keeps what it has found.
class NodeMembers {
 public:
  void add(std::uint32_t group, void* member) {
    const std::lock_guard lock(mutex_);
    members_[group] = member;
  }
  void remove(std::uint32_t group) {
    const std::lock_guard lock(mutex_);
    members_.erase(group);
  }
  /// nullptr: it has yet to be made, or is no more.
  void* find(std::uint32_t group) const {
    const std::lock_guard lock(mutex_);
    const auto found = members_.find(group);
    return found != members_.end() ? found->second : nullptr;
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::uint32_t, void*> members_;
};

}  // namespace kaon::runtime
