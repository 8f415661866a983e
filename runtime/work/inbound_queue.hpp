// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>

#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {

/// Work that other threads push to a PE, and whether that PE sleeps, in one word. Many producers, one consumer.
///
/// Values of the word:   nullptr    nothing here, the consumer is awake
///                       asleep     nothing here, the consumer sleeps or is about to
///                       else       the newest of a list of Work, linked by `next` towards the oldest
///
/// A producer that replaces `asleep` must wake the consumer; nobody else need. As state and work are one word, there is
/// no order between two words to get wrong: each operation is one read-modify-write of it. `Atomic` is a parameter so
/// that a model checker can run this very code.
template <template <class> class Atomic = std::atomic>
class BasicInboundQueue {
 public:
  /// True: the consumer was asleep and must be woken now. Any thread.
  [[nodiscard]] bool push(Work& work) { return push(work, work); }

  /// Same as push(), for a list that leads from `newest` by `next` to `oldest`.
  [[nodiscard]] bool push(Work& newest, Work& oldest) {
    Work* head = head_.load(std::memory_order_relaxed);
    do {
      oldest.next = head == asleep() ? nullptr : head;
      // release: the consumer that takes this list sees the Work's contents
    } while (!head_.compare_exchange_weak(head, &newest, std::memory_order_release, std::memory_order_relaxed));
    return head == asleep();
  }

  /// A hint for the consumer's loop; take_all decides.
  bool has_work() const {
    Work* head = head_.load(std::memory_order_relaxed);
    return head != nullptr && head != asleep();
  }

  /// All Work there is, oldest first, linked by `next`; nullptr when none. Consumer only, awake.
  Work* take_all() {
    if (head_.load(std::memory_order_relaxed) == nullptr) return nullptr;
    // acquire: pairs with the release of each push in the list
    return oldest_first(head_.exchange(nullptr, std::memory_order_acquire));
  }

  /// Declares the consumer asleep. False: there is Work, do not sleep. Consumer only.
  [[nodiscard]] bool try_sleep() {
    Work* expected = nullptr;
    return head_.compare_exchange_strong(expected, asleep(), std::memory_order_acq_rel, std::memory_order_relaxed);
  }

  /// Ends the sleep; Work pushed meanwhile stays for take_all. True: a producer had seen us asleep, so that its
  /// wake-up is under way or done. Consumer only.
  bool wake() {
    Work* expected = asleep();
    return !head_.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel, std::memory_order_relaxed);
  }

 private:
  static Work* asleep() { return reinterpret_cast<Work*>(alignof(Work) / 2); }  // no Work lies at this address

  static Work* oldest_first(Work* newest) {
    Work* oldest = nullptr;
    while (newest != nullptr) {
      Work* next = newest->next;
      newest->next = oldest;
      oldest = newest;
      newest = next;
    }
    return oldest;
  }

  alignas(64) Atomic<Work*> head_{nullptr};  // a cache line of its own: every producer writes it
};

using InboundQueue = BasicInboundQueue<>;

}  // namespace kaon::runtime
