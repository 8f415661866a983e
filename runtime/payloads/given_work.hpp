// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

namespace kaon::runtime {

/// The element of a collection in whose turn a device was given work.
struct WorkGiver {
  std::uint32_t collection = 0;
  std::uint64_t element = 0;
};

/// The time that a device took for the work that it was given in one turn. It counts from the first piece to the end of
/// the last, as the device saw it.
struct GivenWork {
  WorkGiver giver;
  double seconds = 0;
};

/// Memory that a PE may still take of its device, which others of the process may share.
struct DeviceRoom {
  int device = -1;  // its number in the process; -1: there is none
  std::size_t bytes = 0;
};

}  // namespace kaon::runtime
