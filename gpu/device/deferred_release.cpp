// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/deferred_release.hpp"

#include <new>

#include "kaon/gpu/device/device.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

DeferredRelease::DeferredRelease(Device& device, Region* region, SentSignal* signal)
    : Errand(device.pe().errands()), device_(device), region_(region), signal_(signal) {
  reached = [](Wait& self) { static_cast<DeferredRelease&>(self).abandon(); };
}

void DeferredRelease::finish(Region* region, SentSignal* signal) noexcept {
  if (region != nullptr) region->uses.fetch_sub(1, std::memory_order_acq_rel);
  if (signal != nullptr) signal->memory_is_free();
}

void DeferredRelease::start(Device& device, Position last_use, Region* region, SentSignal* signal) {
  if (last_use.is_known_reached()) return finish(region, signal);
  auto* release = new (device.pe().pool().allocate(sizeof(DeferredRelease))) DeferredRelease(device, region, signal);
  try {
    if (device.completions().when_reached(last_use, *release)) release->abandon();
  } catch (...) {  // a fault of the device: nothing will be reached any more
    device.pe().fail(std::current_exception());
    release->abandon();
  }
}

// Done, or the run ends: then nothing uses the memory any more either.
void DeferredRelease::abandon() noexcept {
  device_.completions().forget(*this);
  finish(region_, signal_);
  Pool& pool = device_.pe().pool();
  this->~DeferredRelease();
  pool.release(this, sizeof(DeferredRelease));
}

}  // namespace kaon::gpu
