// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/waits/drained.hpp"

#include <utility>

#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {

DrainedAwaiter::~DrainedAwaiter() {
  if (!task_) return;
  pe_.outbox(to_).forget_waiter(*this);
  pe_.forget(*this);
}

bool DrainedAwaiter::await_ready() const { return pe_.process().is_local(to_) || !pe_.outbox(to_).is_congested(); }

void DrainedAwaiter::await_suspend(std::coroutine_handle<> task) {
  task_ = task;
  run = [](Work& work, Pe&) { std::exchange(static_cast<DrainedAwaiter&>(work).task_, {}).resume(); };
  pe_.outbox(to_).await_drained(*this);
}

}  // namespace kaon::chares
