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
  using Time = Clock::time_point;

  /// What time it is for this PE.
  Time now() const { return told_ == nullptr ? Clock::now() : *told_; }
  /// From now on it is what stands at `told`, which stays there, instead of the steady clock's time; for tests that are
  /// to go on in the same way however slow the machine is. nullptr: the steady clock's again.
  void follow(const Time* told) { told_ = told; }

  void add(Time when, Work& work) { waiting_.emplace(when, &work); }
  /// Returns when that is.
  Time add_in(std::chrono::nanoseconds time, Work& work) {
    const Time when = now() + time;
    add(when, work);
    return when;
  }
  void remove(Time when, Work& work) { waiting_.erase({when, &work}); }
  bool empty() const { return waiting_.empty(); }
  Time next() const { return waiting_.begin()->first; }

  /// The next Work whose time has come; nullptr when there is none.
  Work* take_due(Time now) {
    if (waiting_.empty() || waiting_.begin()->first > now) return nullptr;
    Work* work = waiting_.begin()->second;
    waiting_.erase(waiting_.begin());
    return work;
  }

 private:
  std::set<std::pair<Time, Work*>> waiting_;
  const Time* told_ = nullptr;
};

}  // namespace kaon::runtime
