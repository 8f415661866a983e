// SPDX-License-Identifier: Apache-2.0
// What a PE does when its run ends.
#include <cstdio>
#include <utility>

#include "kaon/runtime/payloads/accelerator.hpp"
#include "kaon/runtime/pe/collection.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::runtime {

void Pe::reject_later_payloads() {
  while (!later_.empty()) {
    PayloadRecord& record = *later_.back();  // its Payload stays where it is, without data
    PayloadRecord* stand_in = announce_payload(record.bytes, record.route);
    stand_in->sender = record.sender;
    stand_in->counter = record.counter;
    stand_in->is_later = true;
    forget_later(record);
    record.is_later = false;
    note_later(*stand_in);
    release_payload(stand_in);
  }
}

void Pe::clear() {
  port_.reset();
  for (auto& collection : collections_)
    if (collection != nullptr) collection->destroy_tasks();
  take_inbound();
  while (Work* work = ready_.pop()) discard(*work);
  for (Handover& handover : handovers_) discard_list(std::exchange(handover, {}).newest);
  handovers_to_.clear();
  for (auto& [id, first] : awaiting_collection_) discard_list(first);
  awaiting_collection_.clear();
  errands_.clear();
  collections_.clear();
  arrivals_.clear();
  outboxes_.clear();
}

void warn_outlived(const char* what) noexcept {
  std::fprintf(stderr, "kaon: a %s outlived the run that it belongs to: keep it in a chare, not in a static object\n",
               what);
}

void Pe::discard_list(Work* work) {
  while (work != nullptr) discard(*std::exchange(work, work->next));
}

void Pe::discard(Work& work) {
  if (work.flags & kOwnsItself) return work.run(work, *this);
  if (!(work.flags & kIsMessage)) return;  // embedded in something that has its own owner
  auto& message = static_cast<Message&>(work);
  message.entry->destroy(message, *this);
}

}  // namespace kaon::runtime
