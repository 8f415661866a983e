// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "kaon/chares/migration/load_report.hpp"
#include "kaon/runtime/memory/number_map.hpp"

namespace kaon::chares {

/// The traffic between elements, by sender and receiver: a hash table with open addressing, where a search begins at
/// the pair's own place.
class TrafficTable {
 public:
  void add(std::uint64_t from, std::uint64_t to, double bytes, double messages);
  std::vector<Traffic> list() const;

 private:
  Traffic& place_of(std::uint64_t from, std::uint64_t to);
  void grow();

  std::vector<Traffic> places_;  // a power of two, at most two thirds of them used; kFree in `from`: unused
  std::size_t used_ = 0;
};

/// The load of a collection's elements on one PE since the last step, including elements that have left it.
class LoadMeter {
 public:
  void add(std::uint64_t element, double seconds) { add_to(seconds_, element, seconds); }
  void add_of_device(std::uint64_t element, double seconds) { add_to(device_seconds_, element, seconds); }
  void add_traffic(std::uint64_t from, std::uint64_t to, double bytes, double messages) {
    traffic_.add(from, to, bytes, messages);
  }
  double seconds(std::uint64_t element) const { return seconds_.find(element).value_or(0.0); }
  double device_seconds(std::uint64_t element) const { return device_seconds_.find(element).value_or(0.0); }
  std::vector<Traffic> traffic() const { return traffic_.list(); }
  void clear() {
    seconds_ = {};
    device_seconds_ = {};
    traffic_ = {};
  }

 private:
  static void add_to(NumberMap<double>& sums, std::uint64_t element, double seconds) {
    sums.set(element, sums.find(element).value_or(0.0) + seconds);
  }

  NumberMap<double> seconds_;
  NumberMap<double> device_seconds_;
  TrafficTable traffic_;
};

}  // namespace kaon::chares
