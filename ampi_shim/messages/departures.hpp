// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>

namespace kaon::ampi {

/// The flush policy of a PE for messages to other PEs. They leave at once, in case a rank computes for long now, or are
/// coalesced until the rank waits or the row of turns ends.
///
/// A departure costs a fraction of a microsecond. So every kEachUs microseconds allow one, which is a few percent of
/// the time, and unused ones are kept. So messages of ranks that compute for milliseconds leave at once, also after
/// hundreds of short turns, and windows of many messages travel together.
class Departures {
 public:
  static constexpr std::uint64_t kEachUs = 10;
  static constexpr std::uint64_t kMostKept = 10'000;
  static constexpr int kCallsOfATurn = 128;

  explicit Departures(std::uint64_t ticks_per_us) : each_(kEachUs * ticks_per_us) {}
  /// The policy of the PE of this thread.
  static Departures& here() noexcept;

  /// A message is on its way to another PE.
  void note_send() { has_sent_ = true; }
  /// True if there was a send since the last call.
  bool take_sends() { return std::exchange(has_sent_, false); }

  /// After a call that has sent and has not waited. Others are due for a turn, such as those that take what was sent:
  /// it would all be kept until the end of a rank that does nothing but send.
  bool is_turn_over() {
    if (++calls_ < kCallsOfATurn) return false;
    calls_ = 0;
    return true;
  }
  /// Takes one of those that are allowed; false: there is none.
  bool take(std::uint64_t now) {
    if (now > kMostKept * each_) paid_until_ = std::max(paid_until_, now - kMostKept * each_);
    if (paid_until_ + each_ > now) return false;
    paid_until_ += each_;
    return true;
  }

 private:
  std::uint64_t each_;            // in ticks
  std::uint64_t paid_until_ = 0;  // the time up to which all are taken
  bool has_sent_ = false;
  int calls_ = 0;  // since others had a turn
};

}  // namespace kaon::ampi
