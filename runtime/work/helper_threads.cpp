// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/work/helper_threads.hpp"

#include <pthread.h>

#include <system_error>
#include <utility>

#include "kaon/runtime/base/no_thread.hpp"
#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::runtime {

HelperJob::HelperJob() {
  flags = kOwnsItself;
  run = &come_home;
}

void HelperJob::send_out(Waiter& waiter) {
  home_ = &waiter.scheduler();
  waiter_ = &waiter;
  is_home_ = false;
}

void HelperJob::forget() noexcept {
  waiter_ = nullptr;
  if (is_home_) delete this;
}

void HelperJob::come_home(Work& self, Pe& pe) {
  auto& job = static_cast<HelperJob&>(self);
  job.is_home_ = true;
  if (job.waiter_ == nullptr) {
    delete &job;
  } else if (!job.home_->is_stopped()) {  // else the task goes with the run, and the job with the task
    Waiter& waiter = *job.waiter_;
    waiter.run(waiter, pe);
  }
}

HelperThreads::HelperThreads(int most)
    : most_(most), knows_processors_(pthread_getaffinity_np(pthread_self(), sizeof processors_, &processors_) == 0) {}

void HelperThreads::give(HelperJob& job, Waiter& waiter) {
  const std::lock_guard lock(mutex_);
  if (waiting_ >= idle_ && threads_.size() < static_cast<std::size_t>(most_)) start_thread();
  job.send_out(waiter);
  jobs_.add(job);
  ++waiting_;
  changed_.notify_one();
}

void HelperThreads::start_thread() {
  try {
    threads_.emplace_back([this] { live(); });
  } catch (const std::system_error& error) {
    if (threads_.empty()) throw_no_thread("a helper thread", error);
  }
}

void HelperThreads::live() {
  if (knows_processors_) pthread_setaffinity_np(pthread_self(), sizeof processors_, &processors_);
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    changed_.wait(lock, [this] { return is_closed_ || !jobs_.empty(); });
    --idle_;
    if (is_closed_) return;
    auto& job = static_cast<HelperJob&>(*jobs_.take());
    --waiting_;
    lock.unlock();
    job.work();
    job.home_->push(job);
    lock.lock();
  }
}

void HelperThreads::close() noexcept {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  while (Work* work = jobs_.take()) static_cast<HelperJob*>(work)->home_->push(*work);
}

}  // namespace kaon::runtime
