// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/work/waiter.hpp"

#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::runtime {

Root::Root(Scheduler& scheduler) noexcept : scheduler_(scheduler) { ++scheduler.roots_; }

Root::~Root() { --scheduler_.roots_; }

void Root::end_strand() noexcept {
  if (waits_ == --strands_) ++scheduler_.waiting_roots_;
}

void Root::note_wait() noexcept {
  if (++waits_ == strands_) ++scheduler_.waiting_roots_;
}

void Root::note_end_of_wait() noexcept {
  if (waits_-- == strands_) --scheduler_.waiting_roots_;
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
  scheduler.note_wait(kind_, 1);
  scheduler.waits_.add(*this);
}

void Waiter::let_go() noexcept {
  Scheduler& scheduler = *scheduler_;
  (is_due_ ? scheduler.due_ : scheduler.waits_).remove(*this);
  is_due_ = false;
  if (kind_.is_counted) scheduler.count_done();
  scheduler.note_wait(kind_, -1);
  if (root_ != nullptr) root_->note_end_of_wait();
  scheduler_ = nullptr;
}

void Waiter::resume_soon() {
  if (is_due_) return;
  scheduler_->waits_.remove(*this);
  scheduler_->due_.add(*this);
  is_due_ = true;
}

void Waiter::resume(Work& work, Pe&) {
  auto& self = static_cast<Waiter&>(work);
  Scheduler& scheduler = *self.scheduler_;
  const std::coroutine_handle<> task = self.task_;
  Root* const before = scheduler.switch_root(self.root_);
  self.let_go();
  if (self.root_ != nullptr) scheduler.note_kind(self.root_->kind);
  const bool is_measured = scheduler.turn_meter() != nullptr && self.root_ != nullptr;
  const void* const element = is_measured ? self.root_->element() : nullptr;
  const std::uint64_t begin = element != nullptr ? begin_turn(scheduler, element) : 0;
  task.resume();  // ends the waiter, and perhaps the root
  end_turn(scheduler, begin, element);
  scheduler.switch_root(before);
}

}  // namespace kaon::runtime
