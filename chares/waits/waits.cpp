// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/waits/waits.hpp"

#include <utility>

#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

QuiescenceAwaiter::~QuiescenceAwaiter() {
  if (!task_) return;
  pe_.quiescence().forget(*this);
  pe_.forget(*this);
}

void QuiescenceAwaiter::await_suspend(std::coroutine_handle<> task) {
  task_ = task;
  run = [](Work& work, Pe&) { std::exchange(static_cast<QuiescenceAwaiter&>(work).task_, {}).resume(); };
  pe_.quiescence().await(*this);
}

TimerAwaiter::~TimerAwaiter() {
  if (!task_) return;
  pe_.timers().remove(when_, *this);
  pe_.forget(*this);
  pe_.done();
}

void TimerAwaiter::await_suspend(std::coroutine_handle<> task) {
  task_ = task;
  run = [](Work& work, Pe& pe) {
    auto& self = static_cast<TimerAwaiter&>(work);
    const auto waiting = std::exchange(self.task_, {});
    waiting.resume();  // ends the awaiter
    pe.done();
  };
  when_ = Timers::Clock::now() + time_;
  pe_.made();
  pe_.timers().add(when_, *this);
}

}  // namespace kaon::chares
