// SPDX-License-Identifier: Apache-2.0
#include "runtime/later.hpp"

#include <exception>
#include <new>
#include <utility>

#include "runtime/accelerator.hpp"
#include "runtime/error.hpp"
#include "runtime/pe.hpp"
#include "runtime/process.hpp"

namespace kaon {

/// The receive of a later payload. It outlives a task that no longer waits: memory that is being written must stay.
struct LaterAwaiter::Fetch : Transfer {
  Pe* pe;
  PayloadRecord* record;
  std::coroutine_handle<> task;

  static Fetch& start(Pe& pe, PayloadRecord& record) {
    auto* fetch = new (pe.pool().allocate(sizeof(Fetch))) Fetch;
    fetch->pe = &pe;
    fetch->record = &record;
    fetch->completed = [](Transfer& self) { static_cast<Fetch&>(self).end(); };
    ++record.owners;
    record.is_later = false;
    pe.forget_later(record);
    return *fetch;
  }
  bool is_here() { return receive_payload(*pe, record->sender, record->counter, *record, *this); }
  void end() {
    const auto waiting = task;
    Pe& on = *pe;
    release_payload(record);
    on.pool().release(this, sizeof(Fetch));
    if (!waiting) return;
    on.done();
    waiting.resume();
  }
};

LaterAwaiter::LaterAwaiter(PayloadRecord* record, const Landing& landing) : record_(record), landing_(landing) {
  if (landing.mode == Landing::Mode::later) throw UsageError("land(payload, later()): give a landing, or pooled()");
  if (record_ == nullptr || record_->is_later) return;
  relocate(*std::exchange(record_, nullptr), landing_);
}

LaterAwaiter::~LaterAwaiter() {
  if (fetch_ == nullptr) return;
  Pe& pe = *fetch_->pe;
  fetch_->task = {};
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
  kaon::land(*record_, landing_);
  Fetch& fetch = Fetch::start(pe, *record_);
  if (fetch.is_here()) {
    fetch.end();
    return false;
  }
  fetch.task = task;
  fetch_ = &fetch;
  pe.made();
  return true;
}

namespace {

/// The receive of a payload that nobody wants, so that its sender gets its memory back.
struct Rejection : Transfer {
  Pe* pe;
  PayloadRecord* record;

  static void start(Pe& pe, PayloadRecord& record) {
    land(record, Landing::pooled());
    auto* rejection = new (pe.pool().allocate(sizeof(Rejection))) Rejection;
    rejection->pe = &pe;
    rejection->record = &record;
    rejection->completed = [](Transfer& self) { static_cast<Rejection&>(self).end(); };
    record.is_later = false;
    if (receive_payload(pe, record.sender, record.counter, record, *rejection)) rejection->end();
  }
  void end() noexcept {
    release_payload(record);
    pe->pool().release(this, sizeof(Rejection));
  }
};

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
    Rejection::start(pe, *record);
  } catch (...) {  // no memory to receive it in
    pe.fail(std::current_exception());
  }
}

bool receive_payload(Pe& pe, PeId from, std::uint32_t counter, PayloadRecord& record, Transfer& done) {
  if (record.kind == MemoryKind::device) return pe.accelerator().receive(from, counter, record, done);
  return pe.port()->receive_payload(from, counter, record.memory(), done);
}

}  // namespace kaon
