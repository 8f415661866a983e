// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/work/task.hpp"

#include <string>

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

void throw_given_away() {
  throw UsageError("a Task was awaited that had been moved, or given to all() or any(), which keep it: await it there");
}

void throw_never_begins() {
  throw Deadlock(
      "a coroutine was started and does nothing, so that its caller would wait for ever: g++ 12 makes such code of a "
      "coroutine that awaits in the condition of an if, while or switch and has no variable of its own. Write the "
      "co_await on a line before, into a variable (docs/compilers.md)");
}

std::exception_ptr missing_result(const char* file, unsigned line) {
  const std::string place = std::string(file) + ":" + std::to_string(line);
  return std::make_exception_ptr(
      UsageError("the task at " + place + " ended without its result: it needs a co_return on every way out"));
}

}  // namespace kaon::runtime
