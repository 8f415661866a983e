// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>

#include "kaon/runtime/messages/running_entry.hpp"
#include "kaon/runtime/work/inbound_queue.hpp"
#include "kaon/runtime/work/waker.hpp"

namespace kaon::runtime {

class Exchange;
class Scheduler;

/// Waits where a PE has nothing to run: looks, then sleeps. It sleeps only while the inbound queue says so, which makes
/// each producer wake it, and behind Exchange::arm(), so that nothing comes unseen in between.
class Parker {
 public:
  Parker(Scheduler& scheduler, InboundQueue& inbound, Exchange& exchange, RunningEntry& running)
      : scheduler_(scheduler), inbound_(inbound), exchange_(exchange), running_(running) {}
  Parker(const Parker&) = delete;
  Parker& operator=(const Parker&) = delete;

  /// Waits a short while for something to come, without running it. False: nothing came.
  bool look_for_work();
  /// Sleeps until there may be something to do, or until the watchdog's tick.
  void sleep();
  std::uint64_t missed_wakeups() const { return missed_wakeups_; }

 private:
  std::chrono::nanoseconds time_to_sleep() const;
  void wake_from(Waker::Reason reason);

  Scheduler& scheduler_;
  InboundQueue& inbound_;
  Exchange& exchange_;
  RunningEntry& running_;
  std::uint64_t missed_wakeups_ = 0;
};

}  // namespace kaon::runtime
