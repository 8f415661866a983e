// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "kaon/runtime/payloads/given_work.hpp"

namespace kaon::runtime {

/// The load of a PE's device, for balancing. Part of the PE's Accelerator; called by the PE's thread alone.
class DeviceMeter {
 public:
  /// From now on what the device does for turns of elements is timed, or no longer.
  virtual void time_turns(bool are_timed) = 0;
  virtual void end_turn(const WorkGiver& giver) = 0;
  /// Returns the work whose times have become known since the last call.
  virtual std::vector<GivenWork> take() = 0;
  virtual DeviceRoom room() const = 0;

 protected:
  ~DeviceMeter() = default;
};

}  // namespace kaon::runtime
