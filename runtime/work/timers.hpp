// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <memory>

#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {

/// Work of one PE that becomes ready at a time.
class Timers {
 public:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;

  Timers() noexcept;
  Timers(const Timers&) = delete;
  Timers& operator=(const Timers&) = delete;
  ~Timers();

  /// The current time for this PE.
  Time now() const { return told_ == nullptr ? Clock::now() : *told_; }
  /// From now on it is what stands at `told`, which stays there, instead of the steady clock's time; for tests that are
  /// to go on in the same way however slow the machine is. nullptr: the steady clock's again.
  void follow(const Time* told) { told_ = told; }

  void add(Time when, Work& work);
  /// Returns when that is.
  Time add_in(std::chrono::nanoseconds time, Work& work) {
    const Time before = now();
    const Time when = time < Time::max() - before ? before + time : Time::max();  // which is for ever
    add(when, work);
    return when;
  }
  void remove(Time when, Work& work);
  bool empty() const { return next_ == Time::max(); }
  /// The earliest; Time::max() when there is none.
  Time next() const { return next_; }

  /// The next Work whose time has come; nullptr when there is none.
  Work* take_due(Time now) { return next_ <= now && !empty() ? take_first() : nullptr; }

 private:
  struct Waiting;
  Work* take_first();
  void look_at_first();

  std::unique_ptr<Waiting> waiting_;
  Time next_ = Time::max();
  const Time* told_ = nullptr;
};

}  // namespace kaon::runtime
