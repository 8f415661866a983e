// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/work/gate.hpp"

#include <utility>

#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::runtime {

/// Has the PE know of an open gate, and closes it at the end of the run.
class Gate::Keeper final : public Activity {
 public:
  Keeper(Scheduler& scheduler, std::shared_ptr<Gate> gate) : scheduler_(scheduler), gate_(std::move(gate)) {
    scheduler_.waits().note_held(1);
  }
  void give_up() noexcept override {
    gate_->close();
    end();
  }

 private:
  ~Keeper() override { scheduler_.waits().note_held(-1); }

  Scheduler& scheduler_;
  std::shared_ptr<Gate> gate_;
};

std::shared_ptr<Gate> Gate::open(Scheduler& scheduler) {
  const std::shared_ptr<Gate> gate(new Gate(scheduler));
  gate->keeper_ = &Activity::make<Keeper>(scheduler.activities(), scheduler.pool(), scheduler, gate);
  return {gate.get(), [gate](Gate*) { gate->let_go(); }};
}

Gate::Gate(Scheduler& scheduler) : scheduler_(&scheduler) {
  flags = kOwnsItself;
  run = &run_one;
}

bool Gate::post(std::unique_ptr<Posted> posted) {
  std::unique_lock lock(mutex_);
  if (scheduler_ == nullptr) return false;
  posted_.add(*posted.release());
  queue(std::move(lock));
  return true;
}

void Gate::let_go() noexcept {
  std::unique_lock lock(mutex_);
  is_held_ = false;
  if (scheduler_ != nullptr) queue(std::move(lock));
}

// Under the lock, so that the PE is still there.
void Gate::queue(std::unique_lock<std::mutex>) {
  if (queued_ != nullptr) return;
  queued_ = shared_from_this();
  scheduler_->push(*this);
}

// One at a time, as other work of the PE has its turn, too.
void Gate::run_one(Work& self, Pe& pe) {
  Gate& gate = static_cast<Gate&>(self);
  Scheduler& scheduler = this_scheduler();
  Posted* const posted = scheduler.is_stopped() ? nullptr : gate.next_posted();
  if (posted != nullptr) posted->run(*posted, pe);
  gate.go_on(scheduler);
}

void Gate::go_on(Scheduler& scheduler) {
  std::shared_ptr<Gate> self;  // goes after the lock
  const std::lock_guard lock(mutex_);
  const bool has_more = !taken_.empty() || !posted_.empty();
  if (has_more && !scheduler.is_stopped()) return scheduler.enqueue(*this);
  self = std::move(queued_);
  if (has_more || is_held_ || scheduler_ == nullptr) return;
  scheduler_ = nullptr;
  keeper_->end();
}

Posted* Gate::next_posted() {
  if (taken_.empty()) {
    const std::lock_guard lock(mutex_);
    taken_ = std::exchange(posted_, {});
  }
  return static_cast<Posted*>(taken_.take());
}

void Gate::close() noexcept {
  std::unique_lock lock(mutex_);
  scheduler_ = nullptr;
  WorkList posted = std::exchange(posted_, {});
  lock.unlock();  // what is deleted may hold this gate, too
  for (WorkList* list : {&taken_, &posted})
    while (Work* work = list->take()) delete static_cast<Posted*>(work);
}

}  // namespace kaon::runtime
