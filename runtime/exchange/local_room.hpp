// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstddef>
#include <utility>

#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::runtime {

/// Tells whether a PE keeps up with the messages that its own tasks send to it, and lets tasks wait until it does.
class LocalRoom : Work {
 public:
  explicit LocalRoom(Scheduler& scheduler) : scheduler_(scheduler) {
    run = [](Work& self, Pe& pe) { static_cast<LocalRoom&>(self).look(pe); };
  }
  LocalRoom(const LocalRoom&) = delete;
  LocalRoom& operator=(const LocalRoom&) = delete;

  bool is_congested() const { return scheduler_.ready_count() > kMostReady; }
  /// Resumed behind what is ready now.
  void await(Waiter& waiter) {
    waiters_.add(waiter);
    if (std::exchange(is_looking_, true)) return;
    scheduler_.waits().note_held(1);
    look_behind_ready();
  }
  void forget(Waiter& waiter) { waiters_.remove(waiter); }

 private:
  static constexpr std::size_t kMostReady = 256;
  // What is still ready then runs after work of priority 0, or is for ever more: not for long, since a PE that is never
  // idle would never be seen to keep up.
  static constexpr std::chrono::microseconds kPause{200};
  static constexpr int kMostLooks = 50;

  void look(Pe& pe) {
    const bool is_late = is_congested();
    if (is_late && looks_ < kMostLooks) return look_later();
    // One after the other: each sends before it is asked whether there is room for the next.
    while (!waiters_.empty()) {
      Work& waiter = *waiters_.take();
      waiter.run(waiter, pe);
      if (is_congested()) break;
    }
    if (!waiters_.empty()) return is_late ? look_later() : look_behind_ready();
    is_looking_ = false;
    scheduler_.waits().note_held(-1);
  }
  void look_behind_ready() {
    looks_ = 0;
    scheduler_.enqueue(*this);
  }
  void look_later() {
    if (looks_ < kMostLooks) ++looks_;  // then one goes on at each
    scheduler_.timers().add_in(kPause, *this);
  }

  Scheduler& scheduler_;
  WorkList waiters_;
  bool is_looking_ = false;
  int looks_ = 0;
};

}  // namespace kaon::runtime
