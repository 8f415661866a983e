// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/bit_queue.hpp"

#include <algorithm>
#include <utility>

#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::runtime {

BitQueue::BitQueue(Pe& pe) : pe_(pe) {
  next_.priority = kPriority;
  next_.run = &run_next;
  next_.queue = this;
}

BitQueue::~BitQueue() {
  for (const Ready& ready : heap_) ready.message->entry->destroy(*ready.message, pe_.pool());
}

void BitQueue::push(Message& message, BitPriority priority) {
  heap_.push_back({std::move(priority), arrivals_++, &message});
  std::push_heap(heap_.begin(), heap_.end());
  if (!std::exchange(is_planned_, true)) pe_.enqueue(next_);
}

void BitQueue::run_next(Work& self, Pe& pe) {
  BitQueue& queue = *static_cast<Next&>(self).queue;
  std::pop_heap(queue.heap_.begin(), queue.heap_.end());
  Message& message = *queue.heap_.back().message;
  queue.heap_.pop_back();
  // before it runs, which may throw
  queue.is_planned_ = !queue.heap_.empty();
  if (queue.is_planned_) pe.enqueue(queue.next_);
  message.run(message, pe);
}

BitQueue& Pe::bit_queue() {
  if (bit_queue_ == nullptr) bit_queue_ = std::make_unique<BitQueue>(*this);
  return *bit_queue_;
}

}  // namespace kaon::runtime
