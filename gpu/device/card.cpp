// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/card.hpp"

namespace kaon::gpu {
namespace {

Arena::Settings settings_of(const Driver& driver, const DeviceDescription& device, int number, std::size_t most_bytes) {
  return {.kind = Arena::Kind::device,
          .device = number,
          .is_emulated = driver.backend() == Backend::host,
          .most_bytes = most_bytes != 0 ? most_bytes : device.memory_bytes,
          .is_capped = most_bytes != 0};
}

}  // namespace

Card::Card(Driver& driver, RegionTable& regions, Arena& pinned, int number, std::size_t most_bytes)
    : driver_(driver),
      regions_(regions),
      pinned_(pinned),
      number_(number),
      description_(driver.describe(number)),
      memory_(driver, regions, settings_of(driver, description_, number, most_bytes)) {}

StreamState& Card::add_stream() {
  const std::lock_guard hold(lock_);
  return streams_.emplace_back();
}

}  // namespace kaon::gpu
