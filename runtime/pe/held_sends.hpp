// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>

#include "kaon/runtime/work/timers.hpp"
#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {

/// Work that holds back what it sends to other PEs until there is more. It is run soon, to send that: when its PE has
/// nothing else to run, or after kMost at the latest, as far as the entries that run then end.
class HeldSends {
 public:
  void add(Work& sends) { sends_.add(sends); }
  /// Runs all of it. What adds itself again meanwhile is run, too.
  void send(Pe& pe) {
    since_ = {};
    while (Work* const sends = sends_.take()) sends->run(*sends, pe);
  }
  /// Its owners end with the run.
  void forget() { sends_ = {}; }

  /// True if some are held that no look at the timers has noted.
  bool are_unseen() const { return !sends_.empty() && since_ == Timers::Time{}; }
  /// Some may have been there since then.
  void note_since(Timers::Time then) { since_ = then; }
  bool is_late(Timers::Time now) const { return !sends_.empty() && now - since_ > kMost; }

 private:
  static constexpr std::chrono::microseconds kMost{200};
  WorkList sends_;
  Timers::Time since_{};  // the first look at them; nothing: they came later
};

}  // namespace kaon::runtime
