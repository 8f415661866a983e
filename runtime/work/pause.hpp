// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>

#include "kaon/runtime/work/overload.hpp"
#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::runtime {

/// Holds something back on a PE's thread: when Overload::kPause has gone by, `owner.pause_is_over(pe)` is called. What
/// is held is no progress, and the scheduler counts it.
template <class Owner>
class Pause : Work {
 public:
  Pause(Scheduler& scheduler, Owner& owner) : scheduler_(scheduler), owner_(owner) {
    run = [](Work& self, Pe& pe) {
      auto& pause = static_cast<Pause&>(self);
      pause.end();
      pause.owner_.pause_is_over(pe);
    };
  }
  Pause(const Pause&) = delete;
  Pause& operator=(const Pause&) = delete;
  ~Pause() { end(); }

  void begin() {
    is_on_ = true;
    until_ = scheduler_.timers().add_in(Overload::kPause, *this);
    scheduler_.waits().note_held(1);
  }
  /// Nothing happens without begin().
  void end() {
    if (!std::exchange(is_on_, false)) return;
    scheduler_.timers().remove(until_, *this);
    scheduler_.waits().note_held(-1);
  }

 private:
  Scheduler& scheduler_;
  Owner& owner_;
  Timers::Time until_;
  bool is_on_ = false;
};

}  // namespace kaon::runtime
