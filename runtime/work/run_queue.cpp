// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/work/run_queue.hpp"

#include <algorithm>

namespace kaon::runtime {

void RunQueue::push_prioritized(Work& work) {
  prioritized_.push_back({work.priority, arrivals_++, &work});
  std::push_heap(prioritized_.begin(), prioritized_.end());
}

Work* RunQueue::pop_prioritized() {
  std::pop_heap(prioritized_.begin(), prioritized_.end());
  Work* work = prioritized_.back().work;
  prioritized_.pop_back();
  return work;
}

void RunQueue::grow() {
  const std::size_t capacity = mask_ + 1;
  auto larger = std::make_unique<Work*[]>(2 * capacity);
  for (std::size_t i = 0; i < capacity; ++i) larger[i] = ring_[(head_ + i) & mask_];
  ring_ = std::move(larger);
  head_ = 0;
  tail_ = capacity;
  mask_ = 2 * capacity - 1;
}

}  // namespace kaon::runtime
