// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "kaon/gpu/registration.hpp"

namespace kaon::gpu {

/// A PE's view of memory that a program allocates by itself and does not register, found by pointers. The driver is
/// asked only for the number of an allocation. Facts known under a number stay true, because none is given twice. An
/// allocation of this PE's device is registered when it is first seen.
///
/// Managed and pinned memory counts as memory of the host, which reaches it too.
class ProgramMemory {
 public:
  /// For this PE's device.
  ProgramMemory();
  ProgramMemory(const ProgramMemory&) = delete;
  ProgramMemory& operator=(const ProgramMemory&) = delete;

  struct Place {
    bool is_on_device = false;
    Region* region = nullptr;  // of the whole allocation; nullptr on the host, and on another device than the PE's
  };
  Place find(const void* pointer);

 private:
  struct Known {
    Place place;
    std::unique_ptr<Registration> registration;
  };
  Known look_at(const void* pointer);
  void forget_overlapping(const Region& region);

  Device& device_;
  std::uint64_t last_ = 0;  // the number that was found last, and what is known of it
  Place last_place_;
  std::unordered_map<std::uint64_t, Known> known_;
};

}  // namespace kaon::gpu
