// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/payloads/sent.hpp"

#include <new>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::runtime {

SentSignal::SentSignal(Pe& pe) : pe_(pe) {
  run = &told;
  flags = kOwnsItself;
}

SentSignal& SentSignal::make(Pe& pe) { return *new (pe.pool().allocate(sizeof(SentSignal))) SentSignal(pe); }

void SentSignal::memory_is_free() noexcept {
  if (this_pe_or_null() == &pe_)
    pe_.enqueue(*this);
  else
    pe_.push(*this);
}

void SentSignal::told(Work& work, Pe& pe) {
  auto& self = static_cast<SentSignal&>(work);
  self.is_free_ = true;
  const auto task = std::exchange(self.task_, {});
  self.release();  // the record's share; the Sent has its own
  if (!task || pe.is_stopped()) return;
  pe.done();
  task.resume();
}

void SentSignal::await(std::coroutine_handle<> task) {
  task_ = task;
  pe_.made();
}

void SentSignal::forget() noexcept {
  if (std::exchange(task_, {})) pe_.done();
  release();
}

void SentSignal::release() noexcept {
  if (--owners_ > 0) return;
  Pool& pool = pe_.pool();
  this->~SentSignal();
  pool.release(this, sizeof(SentSignal));
}

Sent::Sent(PayloadRecord* record) {
  if (record == nullptr)
    throw UsageError("Sent(payload): this payload was given away already; make the Sent before the send");
  if (record->bytes == 0) return;
  if (record->signal != nullptr) throw UsageError("Sent(payload): somebody waits for this payload's memory already");
  signal_ = record->signal = &SentSignal::make(this_pe());
}

}  // namespace kaon::runtime
