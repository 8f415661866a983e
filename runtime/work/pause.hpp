// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>

#include "kaon/runtime/work/overload.hpp"
#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::runtime {

/// Holds something back on a PE's thread: runs `after` when Overload::kPause has gone by. What is held is no progress,
/// and the scheduler counts it.
class Pause {
 public:
  Pause(Scheduler& scheduler, Work& after) : scheduler_(scheduler), after_(after) {}
  Pause(const Pause&) = delete;
  Pause& operator=(const Pause&) = delete;
  ~Pause() { end(); }

  void begin() {
    is_on_ = true;
    until_ = Timers::Clock::now() + Overload::kPause;
    scheduler_.timers().add(until_, after_);
    scheduler_.note_held(1);
  }
  /// Before or when `after` runs; nothing happens without begin().
  void end() {
    if (!std::exchange(is_on_, false)) return;
    scheduler_.timers().remove(until_, after_);
    scheduler_.note_held(-1);
  }

 private:
  Scheduler& scheduler_;
  Work& after_;
  Timers::Clock::time_point until_;
  bool is_on_ = false;
};

}  // namespace kaon::runtime
