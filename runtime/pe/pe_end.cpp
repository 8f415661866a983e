// SPDX-License-Identifier: Apache-2.0
// What a PE does at the end of its run.
#include <utility>

#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/exchange/neighbours.hpp"
#include "kaon/runtime/pe/bit_queue.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::runtime {

void finish_sending(Pe& pe) {
  pe.exchange().deferred().reject_all();  // again and again: their messages may come after the end
  pe.move_network();
}

void Pe::clear() {
  is_over_ = true;
  held_sends_.forget();  // their owners go below
  exchange_->close();
  collections_.each([](Collection& collection) { collection.destroy_tasks(); });
  discard_queues();
  bit_queue_.reset();
  activities_.clear();
  for (Work* list : collections_.clear()) discard_list(list);
  discard_queues();  // what destructors have sent
  exchange_->clear();
}

void Pe::discard_queues() {
  take_inbound(*this);
  while (Work* work = ready_.pop()) discard(*work);
  for (Work* list : neighbours_->clear()) discard_list(list);
}

void Pe::discard_list(Work* work) {
  while (work != nullptr) discard(*std::exchange(work, work->next));
}

void Pe::discard(Work& work) {
  if (work.flags & kOwnsItself) return work.run(work, *this);
  if (!(work.flags & kIsMessage)) return;  // embedded in something that has its own owner
  auto& message = static_cast<Message&>(work);
  message.entry->destroy(message, pool_);
}

}  // namespace kaon::runtime
