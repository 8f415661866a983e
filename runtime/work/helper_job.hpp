// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {

class Scheduler;
class Waiter;

/// Work that a helper thread does for a task of a PE. When it is done it comes back to that PE and is deleted there: by
/// the task that waits for it, or at once if none waits any more.
class HelperJob : public Work {
 public:
  HelperJob(const HelperJob&) = delete;
  HelperJob& operator=(const HelperJob&) = delete;
  virtual ~HelperJob() = default;

  /// On the helper thread.
  virtual void work() noexcept = 0;

  // On its PE.
  void send_out(Waiter& waiter);
  /// Nobody waits for it any more.
  void forget() noexcept;

 protected:
  HelperJob();

 private:
  friend class HelperThreads;
  static void come_home(Work& self, Pe& pe);

  Scheduler* home_ = nullptr;
  Waiter* waiter_ = nullptr;  // of the PE's thread alone
  bool is_home_ = true;       // the same
};

}  // namespace kaon::runtime
