// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {

class Scheduler;
class Waiter;

/// What a helper thread does for a task of a PE. It comes back to that PE when it is done, and is deleted there: by who
/// waits for it, or at once when nobody does any more.
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
