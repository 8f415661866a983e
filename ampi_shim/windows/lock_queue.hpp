// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>

#include "kaon/ampi_shim/windows/window_lock.hpp"

namespace kaon::ampi {

/// Requests for the lock of a rank's part of a window that were not granted at once, first come first served. It
/// belongs to the target, and only the thread of its PE uses it.
class LockQueue {
 public:
  explicit LockQueue(WindowLock& lock) : lock_(lock) {}

  bool empty() const { return requests_.empty(); }
  void add(int origin, LockKind kind) {
    lock_.set_queued(true);  // before the look: a holder that releases behind it sends a notice
    requests_.push_back({origin, kind});
  }
  /// Calls `grant(origin)` for each request that can be granted now.
  template <class Grant>
  void serve(Grant&& grant) {
    while (!requests_.empty() && lock_.try_take_queued(requests_.front().kind)) {
      const int origin = requests_.front().origin;
      requests_.pop_front();
      if (requests_.empty()) lock_.set_queued(false);
      grant(origin);
    }
  }

 private:
  struct Request {
    int origin;  // rank in the run
    LockKind kind;
  };

  WindowLock& lock_;
  std::deque<Request> requests_;
};

}  // namespace kaon::ampi
