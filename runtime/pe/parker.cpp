// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/parker.hpp"

#include <algorithm>

#include "kaon/runtime/base/ticks.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::runtime {

bool Parker::look_for_work() {
  constexpr int kTurnsOfRelax = 4;  // relaxing takes as long as many a look at memory: 60 ns on some processors
  const bool is_alone = exchange_.is_closed();
  const int turns = is_alone ? 96 : 32;
  running_.forget();
  for (int turn = 0; turn < turns; ++turn) {
    if (inbound_.has_work()) return true;
    if (exchange_.look()) return true;
    if (is_alone && turn % kTurnsOfRelax == 0) relax();
  }
  return false;
}

std::chrono::nanoseconds Parker::time_to_sleep() const {
  constexpr std::chrono::nanoseconds kTick = std::chrono::milliseconds{100};  // what a missed wake-up costs at most
  const std::chrono::nanoseconds most = std::min(kTick, exchange_.longest_sleep());
  const Timers& timers = scheduler_.timers();
  if (timers.empty()) return most;
  const std::chrono::nanoseconds left = timers.next() - timers.now();
  return std::clamp(left, std::chrono::nanoseconds{0}, most);
}

void Parker::sleep() {
  scheduler_.pool().send_chains_home();
  if (!inbound_.try_sleep()) return;
  if (!exchange_.arm()) {
    inbound_.wake();
    return;
  }
  wake_from(scheduler_.waker().sleep(exchange_.event_fd(), time_to_sleep()));
}

void Parker::wake_from(Waker::Reason reason) {
  const bool was_pushed = inbound_.wake();
  if (reason != Waker::Reason::time_out || !was_pushed) return;
  // A producer saw us asleep just now, or its wake-up got lost: then the signal will not come either.
  if (scheduler_.waker().sleep(-1, std::chrono::milliseconds{10}) == Waker::Reason::time_out) ++missed_wakeups_;
}

}  // namespace kaon::runtime
