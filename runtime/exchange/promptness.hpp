// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kaon/runtime/base/ticks.hpp"

namespace kaon::runtime {

/// Decides whether what a piece of work sends to other PEs waits for company, or leaves at once because the work goes
/// on for long. It is long when the kind of work (an entry) was long lately, or has not been seen to be short yet; and
/// a piece of a short kind becomes long when a clock, read at its second send and at every fourth, says so.
class Promptness {
 public:
  static constexpr std::uint32_t kUnknownKind = ~0u;

  /// With a coalescing time of milliseconds or more, which asks for company, work of unknown length counts as short.
  Promptness(std::uint64_t coalesce_ticks, bool takes_new_for_long)
      : coalesce_ticks_(coalesce_ticks), takes_new_for_long_(takes_new_for_long) {}

  std::uint64_t coalesce_ticks() const { return coalesce_ticks_; }

  void begin(std::uint64_t now) { begin_ticks_ = now; }

  /// After each send. True: it and what waited with it leave now.
  bool must_leave(std::uint32_t kind) {
    if (is_long_) return true;
    if (++sends_ == 1) return is_long_ = is_long_kind(kind);
    if (sends_ == 2 || sends_ % 4 == 0) is_long_ = ticks() - begin_ticks_ > coalesce_ticks_;
    return is_long_;
  }

  bool is_long_kind(std::uint32_t kind) const {
    if (kind == kUnknownKind) return false;  // of the runtime's own
    return kind >= long_runs_left_.size() ? takes_new_for_long_ : long_runs_left_[kind] > 0;
  }

  /// Of one piece of work, which is where the next begins.
  void end(std::uint32_t kind, std::uint64_t now) {
    const bool was_long = now - begin_ticks_ > kLong * coalesce_ticks_;
    if (was_long || sends_ > 0) note_length(kind, was_long);
    sends_ = 0;
    is_long_ = false;
    begin_ticks_ = now;
  }

 private:
  static constexpr std::uint64_t kLong = 3;            // coalescing times
  static constexpr std::uint8_t kRunsOfLongKind = 16;  // short ones until a kind is thought short again
  static constexpr std::uint8_t kRunsOfNewKind = 4;

  void note_length(std::uint32_t kind, bool is_long) {
    if (kind == kUnknownKind) return;
    if (kind >= long_runs_left_.size())
      long_runs_left_.resize(kind + 1, takes_new_for_long_ ? kRunsOfNewKind : std::uint8_t{0});
    std::uint8_t& left = long_runs_left_[kind];
    if (is_long)
      left = kRunsOfLongKind;
    else if (left > 0)
      --left;
  }

  std::uint64_t coalesce_ticks_;
  bool takes_new_for_long_;
  std::uint64_t begin_ticks_ = 0;
  std::uint32_t sends_ = 0;                   // of the piece that runs
  bool is_long_ = false;                      // the piece that runs
  std::vector<std::uint8_t> long_runs_left_;  // by kind; 0: it is short
};

}  // namespace kaon::runtime
