// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/work/task.hpp"

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::runtime {

void* allocate_frame(std::size_t bytes) { return calling_scheduler("a task was started").pool().allocate(bytes); }

void release_frame(void* frame, std::size_t bytes) noexcept {
  if (Scheduler* scheduler = this_scheduler_or_null()) [[likely]]
    scheduler->pool().release(frame, bytes);
  else
    warn_outlived("Task");
}

void throw_awaited_twice() {
  throw UsageError("a Task was awaited a second time: it runs once; keep its result, or call the function again");
}

void throw_without_result() {
  throw UsageError("a Task that has a result ended without co_return: give it one on every way out");
}

}  // namespace kaon::runtime
