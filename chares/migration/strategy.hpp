// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "kaon/chares/migration/load_report.hpp"

namespace kaon::chares {

/// The type of strategies::gossip.
struct GossipStrategy {};

/// Says to which PE each element of a report is to go: one for each, in the same order. A plain function or anything
/// that can be called like one; strategies::gossip, by which PEs deal with each other and nobody has a report; or, as
/// by default, nothing, and all stay.
class Strategy {
 public:
  using Places = std::vector<PeId>;
  using Plain = Places (*)(const LoadReport&);

  Strategy() = default;
  template <class F>
    requires(!std::same_as<F, Strategy> && std::is_invocable_r_v<Places, F&, const LoadReport&>)
  Strategy(F function) {  // NOLINT: functions are meant to be given
    if constexpr (std::is_convertible_v<F, Plain>) looks_at_traffic_ = looks_at_traffic(function);
    function_ = std::move(function);
  }
  Strategy(GossipStrategy) : is_gossip_(true) {}  // NOLINT: likewise

  /// True if the strategy may move elements.
  explicit operator bool() const { return static_cast<bool>(function_) || is_gossip_; }
  Places operator()(const LoadReport& report) const { return function_(report); }

  /// True if PEs deal with each other, instead of a function that sees all elements.
  bool is_gossip() const { return is_gossip_; }
  /// True if traffic is measured for the strategy. False for those of kaon::strategies that do not use it.
  bool looks_at_traffic() const { return function_ && looks_at_traffic_; }
  /// True if most calls of rebalance() go on at once, and elements move only when that is worth it.
  bool is_automatic() const { return is_automatic_; }

  Strategy automatic() const {
    Strategy other = *this;
    other.is_automatic_ = true;
    return other;
  }
  /// Copies the strategy, but with another function.
  Strategy with(std::function<Places(const LoadReport&)> function) const {
    Strategy other = *this;
    other.function_ = std::move(function);
    return other;
  }

 private:
  static bool looks_at_traffic(Plain function);

  std::function<Places(const LoadReport&)> function_;
  bool looks_at_traffic_ = true;
  bool is_gossip_ = false;
  bool is_automatic_ = false;
};

}  // namespace kaon::chares
