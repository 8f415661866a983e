// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/device_watches.hpp"

#include <algorithm>

namespace kaon::gpu {

// By index: what one of them does may add another.
bool DeviceWatches::look_at_all() {
  bool has_happened = false;
  for (std::size_t i = 0; i < watches_.size(); ++i) has_happened |= watches_[i]->look();
  std::erase_if(watches_, [](const auto& watch) { return watch->is_over(); });
  return has_happened;
}

bool DeviceWatches::is_busy() const {
  return std::any_of(watches_.begin(), watches_.end(), [](const auto& watch) { return watch->is_busy(); });
}

bool DeviceWatches::is_awaited() const {
  return std::any_of(watches_.begin(), watches_.end(), [](const auto& watch) { return watch->is_awaited(); });
}

bool DeviceWatches::is_running() const {
  return std::any_of(watches_.begin(), watches_.end(), [](const auto& watch) { return watch->is_running(); });
}

bool DeviceWatches::are_counts_fresh(std::uint32_t wave) {
  bool are = true;
  for (const auto& watch : watches_) are = watch->are_counts_fresh(wave) && are;
  return are;
}

void DeviceWatches::name_fault(const GpuError& error) const {
  for (const auto& watch : watches_) watch->name_fault(error);
}

void DeviceWatches::stop() {
  for (const auto& watch : watches_) watch->stop();
}

}  // namespace kaon::gpu
