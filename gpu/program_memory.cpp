// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/program_memory.hpp"

#include <utility>

#include "kaon/gpu/platform/device_payloads.hpp"

namespace kaon::gpu {

ProgramMemory::ProgramMemory() : device_(this_device()) {}

ProgramMemory::Place ProgramMemory::find(const void* pointer) {
  const std::uint64_t number = device_.driver().allocation_at(pointer);
  if (number == 0) return {};
  if (number != last_) {
    auto found = known_.find(number);
    if (found == known_.end()) found = known_.emplace(number, look_at(pointer)).first;
    last_ = number;
    last_place_ = found->second.place;
  }
  // Pools may number what they have taken of the device, and not the pieces that they give out.
  const bool is_outside = last_place_.region != nullptr && !last_place_.region->holds(pointer, 1);
  return is_outside ? Place{true, nullptr} : last_place_;
}

ProgramMemory::Known ProgramMemory::look_at(const void* pointer) {
  const Classification found = device_.driver().classify(pointer);
  const bool is_on_device = found.location == Location::device || found.location == Location::device_pool;
  if (!is_on_device) return {};
  if (found.device != device_.number() || found.base == nullptr) return {{true, nullptr}, nullptr};
  auto registration = std::make_unique<Registration>(found.base, found.bytes);
  Region& region = registration->region();
  forget_overlapping(region);
  return {{true, &region}, std::move(registration)};
}

// Where a new allocation is, older ones were freed.
void ProgramMemory::forget_overlapping(const Region& region) {
  std::erase_if(known_, [&](const auto& entry) {
    const Region* const other = entry.second.place.region;
    return other != nullptr && other->base < region.base + region.bytes && region.base < other->base + other->bytes;
  });
}

}  // namespace kaon::gpu
