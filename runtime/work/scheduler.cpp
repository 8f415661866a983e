// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/work/scheduler.hpp"

#include <cstdio>
#include <string>
#include <utility>

#include "kaon/runtime/base/error.hpp"

namespace kaon::runtime {
namespace {

thread_local Scheduler* current = nullptr;

}  // namespace

[[gnu::noinline]] Scheduler& this_scheduler() noexcept { return *current; }
[[gnu::noinline]] Scheduler* this_scheduler_or_null() noexcept { return current; }

Scheduler& calling_scheduler(const char* what) {
  if (Scheduler* scheduler = this_scheduler_or_null()) [[likely]]
    return *scheduler;
  throw UsageError(std::string(what) +
                   " on a thread that is no PE: do it in entries and in the main task, or "
                   "post() it to a PE by its Outside (runtime.outside())");
}

Scheduler* switch_scheduler(Scheduler* scheduler) noexcept { return std::exchange(current, scheduler); }

void warn_outlived(const char* what) noexcept {
  std::fprintf(stderr, "kaon: a %s outlived the run that it belongs to: keep it in a chare, not in a static object\n",
               what);
}

void Scheduler::fail(std::exception_ptr error, std::string place) noexcept {
  failures_.add(std::move(error), std::move(place));
}

void Scheduler::take_inbound(Pe& pe) {
  for (Work* work = inbound_.take_all(); work != nullptr;) {
    Work* next = work->next;
    if (work->flags & kOpensItself)
      work->run(*work, pe);
    else
      enqueue(*work);
    work = next;
  }
}

bool Scheduler::resume_due(Pe& pe) {
  if (waits_.due().empty()) return false;
  while (Waiter* waiter = waits_.due().oldest()) waiter->run(*waiter, pe);  // which takes it off the list
  return true;
}

bool Scheduler::run_timers(Pe& pe, Timers::Time now) {
  bool any = false;
  for (; Work* work = timers_.take_due(now); any = true) work->run(*work, pe);
  return any;
}

}  // namespace kaon::runtime
