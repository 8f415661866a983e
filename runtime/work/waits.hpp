// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/runtime/base/namespaces.hpp"
#include "kaon/runtime/work/waiter.hpp"

namespace kaon::runtime {

/// The waits on a PE, by what can end them: a message, something that is itself awaited, or nothing that the runtime
/// sees. A run in which no wait can end any more stands still: see StallWatch.
class Waits {
 public:
  /// Waiters, without those that are about to be resumed.
  const WaitList& waiting() const { return waiting_; }
  const WaitList& due() const { return due_; }

  void add(Waiter& waiter) {
    note(waiter.kind(), 1);
    waiting_.add(waiter);
  }
  void make_due(Waiter& waiter) {
    waiting_.remove(waiter);
    due_.add(waiter);
  }
  void remove(Waiter& waiter, bool is_due) {
    (is_due ? due_ : waiting_).remove(waiter);
    note(waiter.kind(), -1);
  }

  /// Something counted as made can end only when something else does, or (-1) need not wait for that any longer.
  void count_dependent(std::int64_t more) { dependent_ += more; }
  std::int64_t dependent() const { return dependent_; }

  /// Something is held that will be given when a timer says so, or (-1) no longer.
  void note_held(int more) { outside_ += static_cast<std::uint64_t>(more); }
  /// A root begins or (-1) ends; all that goes on in one waits by Waiters, or (-1) not all any longer.
  void count_root(int more) { roots_ += static_cast<std::uint64_t>(more); }
  void count_waiting_root(int more) { waiting_roots_ += static_cast<std::uint64_t>(more); }
  /// Waits that may end without any message, and roots that wait for something of the program's own.
  std::uint64_t outside() const { return outside_ + (roots_ - waiting_roots_); }

 private:
  void note(const WaitKind& kind, int more) {
    if (kind.is_from_outside)
      note_held(more);
    else if (kind.is_counted)
      count_dependent(more);
  }

  WaitList waiting_;
  WaitList due_;
  std::uint64_t roots_ = 0;
  std::uint64_t waiting_roots_ = 0;
  std::uint64_t outside_ = 0;
  std::int64_t dependent_ = 0;
};

}  // namespace kaon::runtime
