// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/payloads/later.hpp"

#include <exception>
#include <new>
#include <utility>

#include "kaon/runtime/payloads/accelerator.hpp"
#include "kaon/runtime/work/errand.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::runtime {

/// The receive of a later payload that a task waits for, or that nobody wants, so that its sender gets its memory back.
/// It outlives a task that no longer waits: memory that is being written must stay.
class LaterAwaiter::Fetch final : public Transfer, Errand {
 public:
  /// Takes over one ownership of a record that has its memory. nullptr: it is here already.
  static Fetch* start(Pe& pe, PayloadRecord& record) {
    auto* fetch = new (pe.pool().allocate(sizeof(Fetch))) Fetch(pe, record);
    record.is_later = false;
    if (!receive_payload(pe, record.sender, record.counter, record, *fetch)) return fetch;
    fetch->end();
    return nullptr;
  }

  Pe& pe;
  LaterAwaiter* awaiter = nullptr;

 private:
  Fetch(Pe& on, PayloadRecord& record) : Errand(on.errands()), pe(on), record_(record) {
    completed = [](Transfer& self) { static_cast<Fetch&>(self).end(); };
  }
  void end() noexcept {
    LaterAwaiter* const waiting = awaiter;
    Pe& on = pe;
    abandon();
    if (waiting == nullptr) return;
    on.done();
    waiting->task_.resume();
  }
  void abandon() noexcept override {
    if (awaiter != nullptr) awaiter->fetch_ = nullptr;
    Pool& pool = pe.pool();
    record_.is_arriving = false;
    release_payload(&record_);
    this->~Fetch();
    pool.release(this, sizeof(Fetch));
  }

  PayloadRecord& record_;
};

LaterAwaiter::LaterAwaiter(PayloadRecord* record, const Landing& landing) : record_(record), landing_(landing) {
  if (landing.mode == Landing::Mode::later) throw UsageError("land(payload, later()): give a landing, or pooled()");
  if (record_ != nullptr && record_->is_arriving)
    throw UsageError("land(payload, ...): this payload is being fetched already; await that once");
  if (record_ == nullptr || record_->is_later) return;
  relocate(*std::exchange(record_, nullptr), landing_);
}

LaterAwaiter::~LaterAwaiter() {
  if (fetch_ == nullptr) return;
  Pe& pe = fetch_->pe;
  fetch_->awaiter = nullptr;
  pe.done();
  if (landing_.mode == Landing::Mode::into && !pe.is_stopped())
    pe.fail(std::make_exception_ptr(UsageError(
        "a task ended while its co_await land(payload, into(...)) was under way, which still writes there: land it "
        "pooled(), or let the await end")));
}

bool LaterAwaiter::await_suspend(std::coroutine_handle<> task) {
  Pe& pe = this_pe();
  if (pe.pool().home() != record_->home)
    throw UsageError("a payload whose post rule said later() is fetched on the PE that its message came to");
  runtime::land(*record_, landing_);
  ++record_->owners;
  pe.forget_later(*record_);
  fetch_ = Fetch::start(pe, *record_);
  if (fetch_ == nullptr) return false;
  fetch_->awaiter = this;
  record_->is_arriving = true;
  task_ = task;
  pe.made();
  return true;
}

namespace {

/// A payload given up on another PE than the one that its message came to, where its receive belongs.
struct RejectionElsewhere : Work {
  PayloadRecord* record;
  std::uint16_t home;

  static void start(Pe& pe, PayloadRecord& record) noexcept {
    auto* rejection = new (pe.pool().allocate(sizeof(RejectionElsewhere))) RejectionElsewhere;
    rejection->record = &record;
    rejection->home = pe.pool().home();
    rejection->flags = kOwnsItself;
    rejection->run = &arrive;
    pe.process().pe(record.home).push(*rejection);
  }
  static void arrive(Work& work, Pe& pe) {
    auto& self = static_cast<RejectionElsewhere&>(work);
    PayloadRecord* rejected = self.record;
    Pool& home = pe.pool_of(self.home);
    if (&home == &pe.pool())
      home.release(&self, sizeof(RejectionElsewhere));
    else
      pe.pool().release_foreign(&self, sizeof(RejectionElsewhere), home);
    reject(rejected);
  }
};

}  // namespace

void reject(PayloadRecord* record) noexcept {
  record->owners = 1;
  Pe& pe = this_pe();
  if (record->home != pe.pool().home()) return RejectionElsewhere::start(pe, *record);
  pe.forget_later(*record);
  if (pe.port() == nullptr) {  // the run is over: nothing comes any more
    record->is_later = false;
    return release_payload(record);
  }
  try {
    land(*record, Landing::pooled());
    LaterAwaiter::Fetch::start(pe, *record);
  } catch (...) {  // no memory to receive it in
    pe.fail(std::current_exception());
    if (std::exchange(record->is_later, false)) release_payload(record);
  }
}

bool receive_payload(Pe& pe, PeId from, std::uint32_t counter, PayloadRecord& record, Transfer& done) {
  if (record.kind == MemoryKind::device) return pe.accelerator().receive(from, counter, record, done);
  return pe.port()->receive_payload(from, counter, record.memory(), done);
}

}  // namespace kaon::runtime
