// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/work/scheduler.hpp"

#include <cstdio>
#include <new>
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
  if (failure_ != nullptr) return;
  try {
    const std::string origin = origin_of(error);
    failure_place_ = origin.empty() || origin == place ? std::move(place) : origin + ", awaited by " + place;
  } catch (const std::bad_alloc&) {  // it goes without its place
  }
  failure_ = std::move(error);
}

void Scheduler::note_origin(const std::exception_ptr& error, std::string place) {
  if (!origin_of(error).empty()) return;  // it was on its way already
  origins_[next_origin_] = {error, std::move(place)};
  next_origin_ = (next_origin_ + 1) % origins_.size();
}

std::string Scheduler::origin_of(const std::exception_ptr& error) const {
  for (const Origin& origin : origins_)
    if (origin.error == error) return origin.place;
  return {};
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
  if (due_.empty()) return false;
  while (Waiter* waiter = due_.oldest()) waiter->run(*waiter, pe);  // which takes it off the list
  return true;
}

bool Scheduler::run_timers(Pe& pe, Timers::Time now) {
  bool any = false;
  for (; Work* work = timers_.take_due(now); any = true) work->run(*work, pe);
  return any;
}

}  // namespace kaon::runtime
