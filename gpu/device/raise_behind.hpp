// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/device/stream_state.hpp"
#include "kaon/runtime/payloads/arrival_flag.hpp"
#include "kaon/runtime/work/activity.hpp"

namespace kaon::gpu {

class Device;

/// Raises a flag when a stream is where a payload's data has been copied to its landing.
class RaiseBehind final : public Activity {
 public:
  /// `flag` expects it.
  static void start(Device& device, Position position, ArrivalFlag& flag);

  RaiseBehind(Device& device, ArrivalFlag& flag);

 private:
  ~RaiseBehind() override;
  static void reached(Work& self, Pe& pe);

  Device& device_;
  ArrivalFlag* flag_;  // nullptr: it has been raised
};

}  // namespace kaon::gpu
