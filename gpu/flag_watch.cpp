// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/flag_watch.hpp"

#include "kaon/gpu/device/device.hpp"

namespace kaon::gpu {

std::shared_ptr<FlagWatch> FlagWatch::of(Device& device) {
  auto watch = device.shared<FlagWatch, Device&>(device);
  if (!watch->is_listed_) device.watches().add(watch);
  watch->is_listed_ = true;
  return watch;
}

bool FlagWatch::look() {
  if (awaited_.empty()) return false;
  bool has_happened = device_.driver().advance();  // kernels of an emulation without threads raise them
  for (std::size_t i = 0; i < awaited_.size();) {
    Awaited& awaited = *awaited_[i];
    if (!awaited.is_reached()) {
      ++i;
      continue;
    }
    awaited_[i] = awaited_.back();
    awaited_.pop_back();
    awaited.waiter->resume_soon();
    has_happened = true;
  }
  return has_happened;
}

}  // namespace kaon::gpu
