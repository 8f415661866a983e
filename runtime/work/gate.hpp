// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <mutex>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {

class Scheduler;

/// Thrown if work that another thread gave to a PE was not finished before the run was over. Let that thread end, too.
class RunEnded : public Error {
 public:
  using Error::Error;
};

/// Work that another thread gives to a PE. `run` does it, once, on that PE, and deletes it; to drop it, delete it.
class Posted : public Work {
 public:
  Posted() = default;
  Posted(const Posted&) = delete;
  Posted& operator=(const Posted&) = delete;
  virtual ~Posted() = default;
};

/// The way into a PE for threads that are none. What they post waits here, in order, so that nothing of theirs is in
/// the PE's queues but the gate itself, which is there while something waits. It may outlive the PE: the end of the run
/// closes it. While somebody holds it, a run that waits may wait for a post, and is no deadlock; see StallWatch.
class Gate final : public Work, public std::enable_shared_from_this<Gate> {
 public:
  /// On the thread of that PE. What it returns may be copied, and may go, on any thread.
  static std::shared_ptr<Gate> open(Scheduler& scheduler);

  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  /// False: the run is over. Any thread.
  [[nodiscard]] bool post(std::unique_ptr<Posted> posted);

 private:
  class Keeper;

  explicit Gate(Scheduler& scheduler);
  static void run_one(Work& self, Pe& pe);
  Posted* next_posted();
  void go_on(Scheduler& scheduler);
  void queue(std::unique_lock<std::mutex> lock);
  void let_go() noexcept;
  void close() noexcept;

  // Posts are rare beside messages, and the end of the run has to wait for those that are being made.
  std::mutex mutex_;
  Scheduler* scheduler_;          // nullptr: closed
  WorkList posted_;               // in the order in which it came
  bool is_held_ = true;           // by any thread
  std::shared_ptr<Gate> queued_;  // this, while it is in a queue of the PE's
  // of the PE's thread alone
  WorkList taken_;  // out of posted_
  Keeper* keeper_ = nullptr;
};

}  // namespace kaon::runtime
