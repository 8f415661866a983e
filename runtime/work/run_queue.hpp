// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {

/// Ready Work of one PE. Smaller priorities run first, those of one priority in order of arrival.
/// Priority 0, nearly all of it, is a ring of pointers; the others are a heap beside it.
class RunQueue {
 public:
  RunQueue() : ring_(std::make_unique<Work*[]>(kFirstCapacity)), mask_(kFirstCapacity - 1) {}

  void push(Work& work) {
    if (work.priority != 0) [[unlikely]]
      return push_prioritized(work);
    if (tail_ - head_ > mask_) grow();
    ring_[tail_++ & mask_] = &work;
  }

  /// nullptr when empty.
  Work* pop() {
    if (!prioritized_.empty() && (head_ == tail_ || prioritized_.front().priority < 0)) return pop_prioritized();
    if (head_ == tail_) return nullptr;
    return ring_[head_++ & mask_];
  }

  /// The Work that pop() would return, if nothing but Work of priority 0 is there; nullptr otherwise.
  Work* first() const { return prioritized_.empty() ? peek(0) : nullptr; }
  /// The Work of priority 0 that is `ahead` places behind the next, for prefetching; nullptr when there is none.
  Work* peek(std::size_t ahead) const { return head_ + ahead < tail_ ? ring_[(head_ + ahead) & mask_] : nullptr; }

  /// True if Work is there that runs before all of priority 0.
  bool has_urgent() const { return !prioritized_.empty() && prioritized_.front().priority < 0; }

  bool empty() const { return head_ == tail_ && prioritized_.empty(); }
  std::size_t size() const { return tail_ - head_ + prioritized_.size(); }

 private:
  struct Prioritized {
    std::int32_t priority;
    std::uint64_t arrival;
    Work* work;
    bool operator<(const Prioritized& other) const {  // heaps have the greatest in front
      return priority != other.priority ? priority > other.priority : arrival > other.arrival;
    }
  };

  static constexpr std::size_t kFirstCapacity = 1024;  // a power of two

  void push_prioritized(Work& work);
  Work* pop_prioritized();
  void grow();

  std::unique_ptr<Work*[]> ring_;
  std::size_t mask_;
  std::size_t head_ = 0, tail_ = 0;       // count up for ever; masked at use
  std::vector<Prioritized> prioritized_;  // a heap
  std::uint64_t arrivals_ = 0;
};

}  // namespace kaon::runtime
