// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "kaon/gpu/device/device_watch.hpp"

namespace kaon::gpu {

/// The DeviceWatches of one PE's device, which the PE looks at in its turns.
class DeviceWatches {
 public:
  /// Kept until it is over.
  void add(std::shared_ptr<DeviceWatch> watch) { watches_.push_back(std::move(watch)); }
  /// True: something has happened.
  bool look() { return !watches_.empty() && look_at_all(); }
  /// True: one of them waits for an event that comes within microseconds.
  bool is_busy() const;
  bool is_awaited() const;
  /// Same as in DeviceWatch, over all watches.
  bool is_running() const;
  bool are_counts_fresh(std::uint32_t wave);
  void name_fault(const GpuError& error) const;
  void stop();
  void clear() { watches_.clear(); }

 private:
  bool look_at_all();

  std::vector<std::shared_ptr<DeviceWatch>> watches_;
};

}  // namespace kaon::gpu
