// SPDX-License-Identifier: Apache-2.0
#include "runtime/later.hpp"

#include <exception>
#include <new>
#include <utility>

#include "runtime/accelerator.hpp"
#include "runtime/error.hpp"
#include "runtime/pe.hpp"

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
  fetch_->task = {};
  fetch_->pe->done();
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

}  // namespace

void reject(PayloadRecord* record) noexcept {
  record->owners = 1;
  Pe& pe = this_pe();
  pe.forget_later(*record);
  if (pe.port() == nullptr) {  // the run is over: nothing comes any more
    record->is_later = false;
    return release_payload(record);
  }
  try {
    Rejection::start(pe, *record);
  } catch (const Error&) {  // no memory to receive it in
    if (!pe.has_accelerator()) std::terminate();  // the heap is empty
    pe.accelerator().fail(std::current_exception());
  }
}

bool receive_payload(Pe& pe, PeId from, std::uint32_t counter, PayloadRecord& record, Transfer& done) {
  if (record.kind == MemoryKind::device) return pe.accelerator().receive(from, counter, record, done);
  return pe.port()->receive_payload(from, counter, record.memory(), done);
}

}  // namespace kaon
