// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/payload_fetch.hpp"

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/exchange/payload_transfers.hpp"
#include "kaon/runtime/work/activity.hpp"

namespace kaon::runtime {

/// The receive of a deferred payload that a task waits for, or that nobody wants, so that its sender gets its memory
/// back. It outlives a task that no longer waits: memory that is being written must stay.
class FetchWait::Fetch final : public Activity {
 public:
  /// Takes over one hold of a record that has its memory. True: it is here already.
  static bool start(PayloadTransfers& transfers, PayloadRecord& record, FetchWait* wait, Waiter* waiter) {
    Scheduler& scheduler = transfers.scheduler();
    Fetch& fetch = make<Fetch>(scheduler.activities(), scheduler.pool(), record, wait, waiter);
    record.state = PayloadState::fetching;
    if (wait != nullptr) wait->fetch_ = &fetch;
    if (!transfers.receive(record.sender, record.counter, record, fetch)) return false;
    fetch.end();
    return true;
  }

  Fetch(PayloadRecord& record, FetchWait* wait, Waiter* waiter) : record_(record), wait_(wait), waiter_(waiter) {
    run = [](Work& self, Pe&) {
      auto& fetch = static_cast<Fetch&>(self);
      Waiter* const waiter = fetch.waiter_;
      fetch.end();
      if (waiter != nullptr) waiter->resume_soon();
    };
  }

  /// Nobody waits for it any more.
  void forget_waiter() {
    wait_ = nullptr;
    waiter_ = nullptr;
  }

 private:
  ~Fetch() override {
    if (wait_ != nullptr) wait_->fetch_ = nullptr;
    record_.state = PayloadState::here;
    release_payload(&record_);
  }

  PayloadRecord& record_;
  FetchWait* wait_;
  Waiter* waiter_;
};

FetchWait::FetchWait(PayloadRecord* record, const Landing& landing) : record_(record), landing_(landing) {
  if (landing.mode == Landing::Mode::later) throw UsageError("land(payload, later()): give a landing, or pooled()");
  if (record_ != nullptr && record_->state == PayloadState::fetching)
    throw UsageError("land(payload, ...): this payload is being fetched already; await that once");
  if (record_ == nullptr || record_->state == PayloadState::deferred) return;
  relocate(*std::exchange(record_, nullptr), landing_);
}

bool FetchWait::start(Waiter& waiter) {
  DeferredPayloads& deferred = *static_cast<DeferredPayloads*>(record_->owner);
  PayloadTransfers& transfers = deferred.transfers();
  if (&transfers.scheduler() != &waiter.scheduler())
    throw UsageError("a payload whose post rule said later() is fetched on the PE that its message came to");
  deferred.remove(*record_);
  try {
    runtime::land(*record_, landing_);
  } catch (...) {
    deferred.add(*record_);
    throw;
  }
  ++record_->holders;
  return Fetch::start(transfers, *record_, this, &waiter);
}

void FetchWait::give_up(Waiter& waiter) noexcept {
  if (fetch_ == nullptr) return;
  fetch_->forget_waiter();
  Scheduler& scheduler = waiter.scheduler();
  if (landing_.mode == Landing::Mode::into && !scheduler.is_stopped())
    scheduler.fail(std::make_exception_ptr(UsageError(
        "a task ended while its co_await land(payload, into(...)) was under way, which still writes there: land it "
        "pooled(), or let the await end")));
}

std::string FetchWait::describe() const {
  return "for a payload of " + std::to_string(record_->bytes) + " bytes that it fetches from PE " +
         std::to_string(record_->sender);
}

// --- those that nobody fetches

void DeferredPayloads::add(PayloadRecord& record) {
  record.state = PayloadState::deferred;
  record.owner = this;
  records_.push_back(&record);
}

void DeferredPayloads::remove(PayloadRecord& record) {
  std::erase(records_, &record);
  record.owner = nullptr;
}

/// A payload given up on another PE than the one that its message came to, where its receive belongs.
struct DeferredPayloads::RejectionElsewhere : Work {
  PayloadRecord* record;
  std::uint16_t home;

  static void start(Scheduler& to, PayloadRecord& record) noexcept {
    Pool& pool = this_scheduler().pool();
    auto* rejection = new (pool.allocate(sizeof(RejectionElsewhere))) RejectionElsewhere;
    rejection->record = &record;
    rejection->home = pool.home();
    rejection->flags = kOwnsItself;
    rejection->run = &arrive;
    to.push(*rejection);
  }
  static void arrive(Work& work, Pe&) {
    auto& self = static_cast<RejectionElsewhere&>(work);
    PayloadRecord& rejected = *self.record;
    this_scheduler().pool().release_to(self.home, &self, sizeof(RejectionElsewhere));
    if (rejected.owner != nullptr) return rejected.owner->release(rejected);
    release_payload(&rejected);  // it was taken off its sender meanwhile
  }
};

void DeferredPayloads::release(PayloadRecord& record) noexcept {
  record.holders = 1;
  if (&this_scheduler() == &transfers_.scheduler())
    reject(record);
  else
    RejectionElsewhere::start(transfers_.scheduler(), record);
}

void DeferredPayloads::reject(PayloadRecord& record) noexcept {
  remove(record);
  record.state = PayloadState::here;
  if (!transfers_.is_open()) return release_payload(&record);  // the run is over: nothing comes any more
  try {
    runtime::land(record, Landing::pooled());
    FetchWait::Fetch::start(transfers_, record, nullptr, nullptr);
  } catch (...) {  // no memory to receive it in
    transfers_.scheduler().fail(std::current_exception());
    release_payload(&record);
  }
}

void DeferredPayloads::forget_all() {
  while (!records_.empty()) {
    PayloadRecord& record = *records_.back();
    remove(record);
    record.state = PayloadState::here;
  }
}

void DeferredPayloads::reject_all() {
  while (!records_.empty()) {
    PayloadRecord& record = *records_.back();
    remove(record);
    record.state = PayloadState::here;
    PayloadRecord* stand_in = announce_payload(record.bytes, record.route);
    stand_in->sender = record.sender;
    stand_in->counter = record.counter;
    reject(*stand_in);
  }
}

}  // namespace kaon::runtime
