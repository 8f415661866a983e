// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sched.h>

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#include "kaon/runtime/work/helper_job.hpp"
#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {

class Waiter;

/// The threads of a process on which tasks have done what blocks for long. They are made when there is something to do
/// and all others are busy, and stay to the end.
class HelperThreads {
 public:
  explicit HelperThreads(int most);
  HelperThreads(const HelperThreads&) = delete;
  HelperThreads& operator=(const HelperThreads&) = delete;
  ~HelperThreads() { close(); }

  int most() const { return most_; }
  /// `waiter` is run when it is done. Throws UsageError when not even one thread can be had. Any PE's thread.
  void give(HelperJob& job, Waiter& waiter);
  /// Waits for what has begun; the rest goes home as it is. The PEs are still there, and run nothing.
  void close() noexcept;

 private:
  void live();
  void start_thread();

  const int most_;
  cpu_set_t processors_;  // of the thread that made this: PEs are bound to one each
  bool knows_processors_;
  std::mutex mutex_;
  std::condition_variable changed_;
  WorkList jobs_;
  std::size_t waiting_ = 0;  // jobs in the list
  std::size_t idle_ = 0;     // threads that wait for one
  bool is_closed_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace kaon::runtime
