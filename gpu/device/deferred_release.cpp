// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/deferred_release.hpp"

#include "kaon/gpu/device/device.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

void end_when_reached(Device& device, Position last_use, Activity& activity) {
  activity.run = [](Work& self, Pe&) { static_cast<Activity&>(self).end(); };
  try {
    if (device.stream_watcher().when_reached(last_use, activity)) activity.end();
  } catch (...) {
    device.pe().fail(std::current_exception());
    activity.end();
  }
}

// Done, or the run ends: then nothing uses the memory any more either.
DeferredRelease::~DeferredRelease() {
  device_.stream_watcher().forget(*this);
  finish(region_, signal_);
}

void DeferredRelease::finish(Region* region, SentSignal* signal) noexcept {
  if (region != nullptr) region->uses.fetch_sub(1, std::memory_order_acq_rel);
  if (signal != nullptr) signal->memory_is_free();
}

void DeferredRelease::start(Device& device, Position last_use, Region* region, SentSignal* signal) {
  if (last_use.is_known_reached()) return finish(region, signal);
  Pe& pe = device.pe();
  end_when_reached(device, last_use, make<DeferredRelease>(pe.activities(), pe.pool(), device, region, signal));
}

}  // namespace kaon::gpu
