// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <set>
#include <utility>

#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {

/// Work of one PE that becomes ready at a time.
class Timers {
 public:
  using Clock = std::chrono::steady_clock;

  void add(Clock::time_point when, Work& work) { waiting_.emplace(when, &work); }
  void remove(Clock::time_point when, Work& work) { waiting_.erase({when, &work}); }
  bool empty() const { return waiting_.empty(); }
  Clock::time_point next() const { return waiting_.begin()->first; }

  /// The next Work whose time has come; nullptr when there is none.
  Work* take_due(Clock::time_point now) {
    if (waiting_.empty() || waiting_.begin()->first > now) return nullptr;
    Work* work = waiting_.begin()->second;
    waiting_.erase(waiting_.begin());
    return work;
  }

 private:
  std::set<std::pair<Clock::time_point, Work*>> waiting_;
};

}  // namespace kaon::runtime
