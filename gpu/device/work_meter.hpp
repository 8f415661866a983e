// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "kaon/gpu/backends/driver.hpp"
#include "kaon/runtime/payloads/given_work.hpp"

namespace kaon::gpu {

struct StreamState;

/// Times what a device does for the elements of one PE, by events around what each turn gives to each stream. Of
/// kernels that are launched together each has its share. Work of several streams runs side by side or waits for each
/// other, and no vendor says cheaply which: so the times in which anything of the PE was under way are shared out, in
/// proportion to what lies between the events of each turn.
class WorkMeter {
 public:
  WorkMeter(Driver& driver, int device) : driver_(driver), device_(device) {}
  WorkMeter(const WorkMeter&) = delete;
  WorkMeter& operator=(const WorkMeter&) = delete;
  ~WorkMeter();

  // --- in a turn of an element
  /// A piece of work is about to be given to the stream.
  void begin(const StreamState& stream);
  /// One was given that the stream holds back.
  void hold(const StreamState& stream) { held_[&stream].push_back(turn()); }
  void end_turn(const runtime::WorkGiver& giver);

  // --- around the launch of what a stream holds back
  void begin_held(const StreamState& stream);
  void end_held(const StreamState& stream);

  /// Returns the work that the device has done since the last call.
  std::vector<runtime::GivenWork> take();

 private:
  // Shared, as the turn's name is known at its end, when others may know of its work.
  using Turn = std::shared_ptr<std::optional<runtime::WorkGiver>>;
  struct Piece {
    NativeEvent begin, end;
    std::vector<Turn> turns;
  };
  struct Done {
    std::vector<Turn> turns;
    double from, until;  // seconds since epoch_
  };

  Turn turn();
  NativeEvent record(const StreamState& stream);
  void look();
  bool take_first();
  static double seconds_of_any(std::vector<Done> done);
  void recycle(NativeEvent event) { free_.push_back(event); }

  Driver& driver_;
  int device_;
  Turn turn_;                                                      // that is under way, when it has given anything
  std::vector<std::pair<const StreamState*, NativeEvent>> begun_;  // by this turn
  std::map<const StreamState*, std::vector<Turn>> held_;
  NativeEvent begin_of_held_ = nullptr;
  std::deque<Piece> pieces_;  // in the order in which they were given
  std::vector<Done> done_;
  NativeEvent epoch_ = nullptr;  // the first event of what was done since the last question
  std::vector<NativeEvent> free_;
};

}  // namespace kaon::gpu
