// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/work/waiter.hpp"

#include <utility>

#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::runtime {

Root::Root(Scheduler& scheduler) noexcept : waits_of_pe_(scheduler.waits()) { waits_of_pe_.count_root(1); }

Root::~Root() { waits_of_pe_.count_root(-1); }

void Root::end_strand() noexcept {
  if (waits_ == --strands_) waits_of_pe_.count_waiting_root(1);
}

void Root::note_wait() noexcept {
  if (++waits_ == strands_) waits_of_pe_.count_waiting_root(1);
}

void Root::note_end_of_wait() noexcept {
  if (waits_-- == strands_) waits_of_pe_.count_waiting_root(-1);
}

void Waiter::hold(std::coroutine_handle<> task, Root* root) { hold(calling_scheduler("co_await"), task, root); }

void Waiter::hold(Scheduler& scheduler, std::coroutine_handle<> task, Root* root) {
  run = &resume;
  task_ = task;
  scheduler_ = &scheduler;
  root_ = root;
  since_ticks_ = scheduler.last_ticks_;
  if (root_ != nullptr) root_->note_wait();
  if (kind_.is_counted) scheduler.count_made();
  scheduler.waits().add(*this);
}

void Waiter::let_go() noexcept {
  Scheduler& scheduler = *scheduler_;
  scheduler.waits().remove(*this, std::exchange(is_due_, false));
  if (kind_.is_counted) scheduler.count_done();
  if (root_ != nullptr) root_->note_end_of_wait();
  scheduler_ = nullptr;
}

void Waiter::resume_soon() {
  if (is_due_) return;
  scheduler_->waits().make_due(*this);
  is_due_ = true;
}

void Waiter::resume(Work& work, Pe&) {
  auto& self = static_cast<Waiter&>(work);
  Scheduler& scheduler = *self.scheduler_;
  const std::coroutine_handle<> task = self.task_;
  Root* const before = scheduler.switch_root(self.root_);
  self.let_go();
  if (self.root_ != nullptr) scheduler.note_kind(self.root_->kind);
  const bool is_measured = scheduler.turn_meter().is_on() && self.root_ != nullptr;
  const void* const element = is_measured ? self.root_->element() : nullptr;
  const std::uint64_t begin = element != nullptr ? scheduler.turn_meter().begin(element) : 0;
  task.resume();  // ends the waiter, and perhaps the root
  scheduler.turn_meter().end(begin, element);
  scheduler.switch_root(before);
}

}  // namespace kaon::runtime
