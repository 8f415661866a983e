// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "kaon/runtime/base/ticks.hpp"

namespace kaon::runtime {

/// Decides whether what a piece of work sends to other PEs waits for company, or leaves at once because the work goes
/// on for long. It is long when the kind of work (an entry) was long lately, or has not been seen to be short yet; and
/// a piece of a short kind becomes long when a clock, read at its sends from the second to the fourth and then at
/// every fourth, says so.
///
/// Reading a clock takes longer than running many an entry (20 ns on some processors). So pieces of short kinds are
/// measured some at a time, not at all while nothing is sent, and one that is the first of a turn, with one send, now
/// and then.
class Promptness {
 public:
  static constexpr std::uint32_t kUnknownKind = ~0u;
  static constexpr std::uint64_t kUnknownTime = ~std::uint64_t{0};

  /// With a coalescing time of milliseconds or more, which asks for company, work of unknown length counts as short.
  Promptness(std::uint64_t coalesce_ticks, bool takes_new_for_long)
      : coalesce_ticks_(coalesce_ticks), takes_new_for_long_(takes_new_for_long) {}

  std::uint64_t coalesce_ticks() const { return coalesce_ticks_; }

  /// A turn begins: nothing waits to leave.
  void begin() {
    is_sample_ = turns_++ % kTurnsOfSample == 0;
    begin(kUnknownTime);
  }
  /// A piece of work begins.
  void begin(std::uint64_t now) {
    begin_ticks_ = now;
    together_ = 0;
  }
  std::uint64_t begin_ticks() const { return begin_ticks_; }

  /// After each send. True: it and what waited with it leave now.
  bool must_leave(std::uint32_t kind) {
    if (is_long_) return true;
    if (++sends_ == 1) is_long_ = is_long_kind(kind);
    const bool is_read = sends_ == 1 ? is_long_ || is_sample_ : sends_ <= 4 || sends_ % 4 == 0;
    if (!is_read) return is_long_;
    if (begin_ticks_ == kUnknownTime) {
      begin_ticks_ = ticks();
      is_timed_ = true;
    } else if (sends_ > 1) {
      is_long_ = ticks() - begin_ticks_ > coalesce_ticks_;
    }
    return is_long_;
  }

  /// The piece of work that runs has sent something.
  bool has_sent() const { return sends_ > 0; }
  bool is_long_kind(std::uint32_t kind) const {
    if (kind == kUnknownKind) return false;  // of the runtime's own
    return kind >= long_runs_left_.size() ? takes_new_for_long_ : long_runs_left_[kind] > 0;
  }

  /// Ends a piece of work; the next one begins here. True: the caller must read the clock and call measured().
  bool end(std::uint32_t kind) {
    sends_ = 0;
    const bool is_timed = std::exchange(is_timed_, false);  // a turn's first piece: who knows when it began, asks on
    if (std::exchange(is_long_, false) || is_long_kind(kind) || is_timed || together_ == kMostTogether) return true;
    kinds_[together_++] = kind;
    return false;
  }
  /// Records the time since the clock was last read, for the pieces that ended in it; `kind` is that of the last one.
  void measured(std::uint32_t kind, std::uint64_t now) {
    if (begin_ticks_ != kUnknownTime) {
      const bool was_long = now - begin_ticks_ > kLong * coalesce_ticks_;
      if (was_long) doubt_all();
      note_length(kind, was_long);
    }
    begin(now);
  }

 private:
  static constexpr std::uint64_t kLong = 3;        // coalescing times
  static constexpr std::size_t kMostTogether = 7;  // pieces, and then one
  static constexpr std::uint32_t kTurnsOfSample = 8;
  static constexpr std::uint8_t kRunsOfLongKind = 16;  // short ones until a kind is thought short again
  static constexpr std::uint8_t kRunsOfNewKind = 4;

  /// One of several pieces was long: each kind is to be seen to be short again.
  void doubt_all() {
    for (std::size_t i = 0; i < together_; ++i)
      if (kinds_[i] != kUnknownKind) runs_left(kinds_[i]) = kRunsOfNewKind;
  }

  std::uint8_t& runs_left(std::uint32_t kind) {
    if (kind >= long_runs_left_.size())
      long_runs_left_.resize(kind + 1, takes_new_for_long_ ? kRunsOfNewKind : std::uint8_t{0});
    return long_runs_left_[kind];
  }

  void note_length(std::uint32_t kind, bool is_long) {
    if (kind == kUnknownKind) return;
    std::uint8_t& left = runs_left(kind);
    if (is_long)
      left = kRunsOfLongKind;
    else if (left > 0)
      --left;
  }

  std::uint64_t coalesce_ticks_;
  bool takes_new_for_long_;
  std::uint64_t begin_ticks_ = kUnknownTime;
  std::uint32_t turns_ = 0;
  bool is_sample_ = true;     // of the turns
  bool is_timed_ = false;     // begin_ticks_ was read for the piece that runs
  std::size_t together_ = 0;  // pieces of short kinds since begin_ticks_
  std::array<std::uint32_t, kMostTogether> kinds_{};
  std::uint32_t sends_ = 0;                   // of the piece that runs
  bool is_long_ = false;                      // the piece that runs
  std::vector<std::uint8_t> long_runs_left_;  // by kind; 0: it is short
};

}  // namespace kaon::runtime
