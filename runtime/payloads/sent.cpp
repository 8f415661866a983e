// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/payloads/sent.hpp"

#include <new>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::runtime {

SentSignal::SentSignal(Scheduler& scheduler) : scheduler_(scheduler) {
  run = &told;
  flags = kOwnsItself;
}

SentSignal& SentSignal::make(Scheduler& scheduler) {
  return *new (scheduler.pool().allocate(sizeof(SentSignal))) SentSignal(scheduler);
}

void SentSignal::memory_is_free() noexcept {
  if (this_scheduler_or_null() == &scheduler_)
    scheduler_.enqueue(*this);
  else
    scheduler_.push(*this);
}

void SentSignal::told(Work& work, Pe& pe) {
  auto& self = static_cast<SentSignal&>(work);
  self.is_free_ = true;
  Waiter* const waiter = std::exchange(self.waiter_, nullptr);
  const bool is_over = self.scheduler_.is_stopped();
  self.release();  // the record's share; the Sent has its own
  if (waiter != nullptr && !is_over) waiter->run(*waiter, pe);
}

void SentSignal::release() noexcept {
  if (--holders_ > 0) return;
  Pool& pool = scheduler_.pool();
  this->~SentSignal();
  pool.release(this, sizeof(SentSignal));
}

Sent::Sent(PayloadRecord* record) {
  if (record == nullptr)
    throw UsageError("Sent(payload): this payload was given away already; make the Sent before the send");
  if (record->bytes == 0) return;
  if (record->signal != nullptr) throw UsageError("Sent(payload): somebody waits for this payload's memory already");
  signal_ = record->signal = &SentSignal::make(this_scheduler());
}

}  // namespace kaon::runtime
