// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "kaon/chares/balancing/load_report.hpp"
#include "kaon/runtime/memory/number_map.hpp"

namespace kaon::chares {

/// What the elements of a collection have taken of one PE since the last step, also those that have left it.
class LoadMeter {
 public:
  void add(std::uint64_t element, double seconds) {
    seconds_.set(element, seconds_.find(element).value_or(0.0) + seconds);
  }
  void add_traffic(const Traffic& traffic) { traffic_.push_back(traffic); }
  double seconds(std::uint64_t element) const { return seconds_.find(element).value_or(0.0); }
  const std::vector<Traffic>& traffic() const { return traffic_; }
  void clear() {
    seconds_ = {};
    traffic_.clear();
  }

 private:
  NumberMap<double> seconds_;
  std::vector<Traffic> traffic_;
};

}  // namespace kaon::chares
