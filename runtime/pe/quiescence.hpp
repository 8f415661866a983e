// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::runtime {

class Pe;

/// Finds out when nothing is under way and nothing can come of itself (Mattern's four counters). PE 0 sends waves down
/// the spanning tree; each PE answers when it has nothing to run, with the sums of its branch. Two waves in a row with
/// equal sums in which all that was made is done prove that nothing was under way between them.
class Quiescence {
 public:
  explicit Quiescence(Pe& pe) : pe_(pe) {}

  /// `waiter` is run on this PE at the next quiescence.
  void await(Work& waiter);
  void forget(const Work& waiter);

  /// On PE 0: by anybody.
  bool is_awaited() const { return !askers_.empty(); }

  /// To be called when the PE has nothing to run: answers a wave that waits for that.
  void pe_is_idle() {
    if (wave_is_here_ && answers_missing_ == 0 && are_counts_fresh()) answer();
  }

  // Handlers of control messages.
  void wave_down();
  void wave_up(WorkCounts counts);
  void ask(PeId asker);
  void reached();
  void pause_is_over(Work& pause);

 private:
  bool are_counts_fresh() const;
  void answer();
  void wave_ended(WorkCounts counts);
  void start_wave();

  Pe& pe_;
  bool wave_is_here_ = false;
  PeId answers_missing_ = 0;
  std::uint32_t waves_ = 0;  // that have come
  WorkCounts branch_;
  std::vector<Work*> waiters_;  // on this PE
  // on PE 0 only
  std::vector<PeId> askers_;
  bool is_waving_ = false;
  WorkCounts last_wave_;
  bool last_was_balanced_ = false;
  Timers::Time changed_at_{};  // when a wave last differed from the one before
  Work next_wave_;
};

}  // namespace kaon::runtime
