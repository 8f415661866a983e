// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "kaon/gpu/device/segments.hpp"

namespace kaon::gpu {

/// How other processes find the slabs of a PE's device, asked once for each.
class SlabPlaces {
 public:
  SlabPlaces(Device& device, Segments& segments) : device_(device), segments_(segments) {}
  SlabPlaces(const SlabPlaces&) = delete;
  SlabPlaces& operator=(const SlabPlaces&) = delete;
  /// The place of a slab that was exported, and so stays to the end of the run; with 0 bytes if others cannot map it.
  const SlabPlace& of(const Region& region);

 private:
  struct Known {
    const std::byte* base;
    SlabPlace place;
  };
  Device& device_;
  Segments& segments_;
  std::vector<Known> known_;
};

}  // namespace kaon::gpu
