// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/neighbours.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "kaon/runtime/archive/archive.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/exchange/bundle.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/payloads/payload_record.hpp"
#include "kaon/runtime/work/activity.hpp"
#include "kaon/runtime/work/pause.hpp"

namespace kaon::runtime {

Neighbours::Neighbours(Scheduler& here, Scheduler* const* schedulers, PeId count, std::size_t limit)
    : here_(here), schedulers_(schedulers), limit_(limit), neighbours_(count) {}

void Neighbours::meet(PeId to) {
  neighbours_[to] = std::make_unique<Neighbour>();
  for (Receipt& receipt : neighbours_[to]->receipts) {
    receipt.owner = this;
    receipt.to = to;
  }
}

void Neighbours::add(Neighbour& neighbour, Work& work) {
  work.next = neighbour.newest;
  if (neighbour.newest == nullptr) neighbour.oldest = &work;
  neighbour.newest = &work;
}

void Neighbours::send(Message& message, PeId to) {
  OwnedMessage owned(&message, {&here_.pool()});  // one that is not sent after all was not made
  Neighbour& neighbour = this->neighbour(to);
  const std::size_t bytes = message.entry->is_plain ? message.entry->message_bytes : weigh(neighbour, message);
  const std::size_t held = neighbour.bytes_out + neighbour.bytes_since_receipt + bytes;
  if (neighbour.receipts_out == kReceipts && held > limit_ && needs_room(message)) throw_too_much(neighbour, to);
  (void)owned.release();
  if (neighbour.newest == nullptr) unsent_.push_back(to);
  add(neighbour, message);
  if (message.entry->is_plain) ++neighbour.plain;
  neighbour.bytes_since_receipt += bytes;
  const bool is_due =
      ++neighbour.since_receipt >= kMessagesOfReceipt || neighbour.bytes_since_receipt >= kBytesOfReceipt;
  if (is_due) send_receipt(neighbour, message.priority);
}

// What vectors and payloads hold is in the message; what lies deeper is found out now and then, as the messages to one
// PE are of few kinds. One that cannot be packed is handed over all the same.
std::size_t Neighbours::weigh(Neighbour& neighbour, const Message& message) {
  const EntryRecord& entry = *message.entry;
  if (entry.bytes_held != nullptr) return entry.message_bytes + entry.bytes_held(message);
  if (neighbour.heavy_messages++ % kWeighedOneIn != 0) return neighbour.heavy_bytes;
  std::vector<PayloadRecord*> payloads;
  Writer collector = Writer::collector(payloads);
  try {
    entry.pack(message, collector);
  } catch (...) {
    return neighbour.heavy_bytes = entry.message_bytes;
  }
  std::size_t bytes = entry.message_bytes + collector.bytes();
  for (const PayloadRecord* payload : payloads)
    if (payload != nullptr) bytes += payload->bytes;
  return neighbour.heavy_bytes = bytes;
}

// --- receipts

void Neighbours::send_receipt(Neighbour& neighbour, std::int32_t priority) {
  if (neighbour.receipts_out == kReceipts) return;  // the next that comes home goes out again for all of it
  Receipt* receipt = neighbour.receipts.data();
  while (receipt->is_out) ++receipt;
  receipt->is_out = true;
  receipt->bytes = std::exchange(neighbour.bytes_since_receipt, 0);
  receipt->behind = priority;
  receipt->priority = std::min(priority, 0);
  receipt->run = priority > 0 ? &stand_behind : &come_home;
  neighbour.bytes_out += receipt->bytes;
  neighbour.since_receipt = 0;
  ++neighbour.receipts_out;
  add(neighbour, *receipt);
}

/// Stands for a receipt in the receiver's run queue, behind messages of a priority that may not run for long. The
/// receipt comes home when they have run or, by and by, before: urgent messages of the same sender wait for it.
class Neighbours::ReceiptMarker final : public Activity {
 public:
  explicit ReceiptMarker(Receipt& receipt)
      : receipt_(&receipt), there_(*receipt.owner->schedulers_[receipt.to]), pause_(there_, *this) {
    priority = receipt.behind;
    run = [](Work& self, Pe& pe) { static_cast<ReceiptMarker&>(self).reached(pe); };
    pause_.begin();
  }

 private:
  friend Pause<ReceiptMarker>;

  void reached(Pe& pe) {
    pause_.end();
    if (receipt_ != nullptr) come_home(*receipt_, pe);
    end();
  }
  void pause_is_over(Pe& pe) {
    if (!there_.overload().may_trickle()) return pause_.begin();
    come_home(*std::exchange(receipt_, nullptr), pe);
  }

  Receipt* receipt_;  // nullptr: it came home before
  Scheduler& there_;
  Pause<ReceiptMarker> pause_;
};

void Neighbours::stand_behind(Work& self, Pe&) {
  auto& receipt = static_cast<Receipt&>(self);
  Scheduler& there = *receipt.owner->schedulers_[receipt.to];
  there.enqueue(Activity::make<ReceiptMarker>(there.activities(), there.pool(), receipt));
}

void Neighbours::come_home(Work& self, Pe&) {
  auto& receipt = static_cast<Receipt&>(self);
  Scheduler& there = *receipt.owner->schedulers_[receipt.to];
  const bool is_held = !there.overload().may_give();
  if (is_held != receipt.is_held) there.waits().note_held(is_held ? 1 : -1);
  receipt.is_held = is_held;
  if (is_held) {
    there.timers().add_in(Overload::kPause, receipt);
    return;
  }
  receipt.run = &is_home;
  receipt.priority = 0;
  receipt.owner->here_.push(receipt);
}

void Neighbours::is_home(Work& self, Pe& pe) {
  auto& receipt = static_cast<Receipt&>(self);
  Neighbours& owner = *receipt.owner;
  Neighbour& neighbour = *owner.neighbours_[receipt.to];
  receipt.is_out = false;
  --neighbour.receipts_out;
  neighbour.bytes_out -= receipt.bytes;
  if (neighbour.since_receipt >= kMessagesOfReceipt || neighbour.bytes_since_receipt >= kBytesOfReceipt) {
    if (neighbour.newest == nullptr) owner.unsent_.push_back(receipt.to);
    owner.send_receipt(neighbour, 0);
  }
  // One after the other: each sends before it is asked whether there is room for the next.
  while (neighbour.receipts_out < kReceipts && !neighbour.waiters.empty()) {
    Work& waiter = *neighbour.waiters.take();
    waiter.run(waiter, pe);
  }
}

void Neighbours::throw_too_much(const Neighbour& neighbour, PeId to) const {
  throw OutOfMemory("PE " + std::to_string(schedulers_[to]->id()) + " has yet to take " +
                    std::to_string((neighbour.bytes_out + neighbour.bytes_since_receipt) >> 20) +
                    " MiB of messages of PE " + std::to_string(here_.id()) +
                    ": await ready() before sending, or raise --queue-limit-mib");
}

// --- handing over

void Neighbours::flush() {
  for (const PeId to : unsent_) {
    Neighbour& neighbour = *neighbours_[to];
    Work* const newest = std::exchange(neighbour.newest, nullptr);
    Work* const oldest = std::exchange(neighbour.oldest, nullptr);
    if (std::exchange(neighbour.plain, 0) < kMany) {
      schedulers_[to]->push(*newest, *oldest);
    } else {
      const WorkChain bundled = bundle(newest, here_.pool());
      schedulers_[to]->push(*bundled.newest, *bundled.oldest);
    }
  }
  unsent_.clear();
}

std::vector<Work*> Neighbours::clear() {
  std::vector<Work*> left;
  for (const PeId to : unsent_) left.push_back(std::exchange(neighbours_[to]->newest, nullptr));
  unsent_.clear();
  return left;
}

}  // namespace kaon::runtime
