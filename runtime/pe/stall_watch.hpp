// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "kaon/runtime/pe/wait_report.hpp"
#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::runtime {

class Pe;

/// Finds out that a run waits for what will never come. PE 0 looks at all PEs from time to time, by a wave down the
/// spanning tree and back up, as Quiescence does: two looks in a row that see the same counts prove that nothing was
/// under way between them. What has been made and not been done is then only what waits for others itself; and when
/// nobody waits for anything from outside (a timer, a device, a transfer, something of the program's own), those who
/// wait do so for ever. Then all PEs say who waits for what, and the run ends with Deadlock.
class StallWatch {
 public:
  /// The result of one look, summed over PEs.
  struct View {
    std::uint64_t made = 0, done = 0;
    std::int64_t dependent = 0;  // made and not done, and waiting for others
    std::uint64_t outside = 0;   // what may go on of itself
    std::uint64_t waits = 0;     // PEs on which somebody waits
    friend bool operator==(const View&, const View&) = default;
    View& operator+=(const View& other);
  };

  explicit StallWatch(Pe& pe) : pe_(pe) {}

  /// On PE 0: looks from time to time from now on.
  void start();
  /// On PE 0: looks now, unless a look is under way.
  void look();
  /// Has PE 0 print who waits for what all over the run; from any PE.
  void print_waits();

  // Handlers of control messages.
  void look_down();
  void look_up(const View& view);
  void waits_wanted();
  void waits_came(PeId from, WaitReport report);

 private:
  void tick();
  void answer();
  void look_ended();
  bool is_stall(const View& view) const;
  void ask_for_waits();
  void tell_waits();
  View view() const;

  Pe& pe_;
  PeId answers_missing_ = 0;
  View branch_;
  // on PE 0 only
  Work timer_;
  bool is_looking_ = false;
  View last_;
  int equal_looks_ = 0;
  WorkCounts last_counts_;  // of PE 0, at the last tick
  PeId reports_missing_ = 0;
  std::vector<bool> has_answered_;  // by PE
  int ticks_of_report_ = 0;         // since it was begun
  bool has_reported_ = false;
  bool is_deadlock_ = false;
  WaitReport report_;
};

}  // namespace kaon::runtime
