// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

#include "kaon/runtime/base/ticks.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::runtime {

/// Decides when a piece of work that runs many short entries in a row must give way to other work. It checks rarely
/// while the entries are short, and after each entry when they are not.
class ItemTurns {
 public:
  /// `pace` is kept by the caller, from one such piece of work to the next.
  ItemTurns(Pe& pe, std::uint32_t& pace) : pe_(pe), pace_(pace), left_(pace), begin_(ticks()), last_(begin_) {}
  ItemTurns(const ItemTurns&) = delete;
  ItemTurns& operator=(const ItemTurns&) = delete;

  /// True: the rest is for later.
  bool end_one() {
    pe_.end_item();
    if (--left_ > 0) [[likely]]
      return false;
    return look();
  }
  /// No more are run now.
  void end() {
    if (last_ != begin_) pe_.end_items(last_);
  }

 private:
  static constexpr std::uint32_t kMostPace = 64;
  static constexpr std::uint64_t kLongUs = 5;   // from one look to the next
  static constexpr std::uint64_t kMostUs = 25;  // of all

  bool look() {
    static const auto us = static_cast<std::uint64_t>(ticks_per_us());
    const std::uint64_t now = ticks();
    pace_ = now - last_ > kLongUs * us ? std::max(pace_ / 4, 1u) : std::min(2 * pace_, kMostPace);
    left_ = pace_;
    last_ = now;
    return now - begin_ > kMostUs * us || pe_.must_give_way();
  }

  Pe& pe_;
  std::uint32_t& pace_;
  std::uint32_t left_;
  std::uint64_t begin_;
  std::uint64_t last_;  // look
};

}  // namespace kaon::runtime
