// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

class Pe;
/// The PE whose thread this is; there must be one.
Pe& this_pe() noexcept;

enum WorkFlags : std::uint8_t {
  kIsMessage = 128,   // a Message, which a queue that ends must release
  kOwnsItself = 64,   // runs also when the queue ends, to release itself
  kOpensItself = 32,  // holds other Work, and is run as soon as it has come from another thread
};

/// Something a PE can run: a message, the continuation of a task, a step of the runtime, the completion of a transfer.
/// It is the one kind of callback there is. Its owner embeds it; it is in at most one queue at a time. `run` may
/// destroy it.
struct Work {
  Work* next = nullptr;  // link of the inbound queue and of waiting lists
  void (*run)(Work& self, Pe& pe) = nullptr;
  std::int32_t priority = 0;  // smaller runs first
  std::uint8_t flags = 0;     // WorkFlags, and those of what it is part of
};

/// Work in the order in which it was added, linked by `next`.
class WorkList {
 public:
  bool empty() const { return first_ == nullptr; }
  Work* first() const { return first_; }
  void add(Work& work) {
    work.next = nullptr;
    (first_ != nullptr ? last_->next : first_) = &work;
    last_ = &work;
  }
  /// nullptr when empty.
  Work* take() {
    Work* work = first_;
    if (work != nullptr) first_ = work->next;
    return work;
  }
  /// All of it, linked; the list is empty then.
  Work* take_all() {
    Work* all = first_;
    first_ = nullptr;
    return all;
  }
  /// Takes one out; false when it is not there.
  bool remove(const Work& work) {
    Work* before = nullptr;
    for (Work* at = first_; at != nullptr; before = at, at = at->next) {
      if (at != &work) continue;
      (before != nullptr ? before->next : first_) = at->next;
      if (last_ == at) last_ = before;
      return true;
    }
    return false;
  }

 private:
  Work* first_ = nullptr;
  Work* last_ = nullptr;
};

}  // namespace kaon::runtime
