// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "kaon/gpu/device/holding_time.hpp"
#include "kaon/gpu/device/stream_state.hpp"
#include "kaon/runtime/payloads/transfer_report.hpp"

namespace kaon::runtime {
class Pe;
}

namespace kaon::gpu {

class DeviceLoadMeter;
class DeviceMemory;
class StreamWatcher;

using LaunchCause = runtime::TransferReport::LaunchCause;

/// The streams of one PE that hold launches back, so that more can join them.
class HeldLaunches {
 public:
  HeldLaunches(runtime::Pe& pe, Driver& driver, StreamWatcher& watcher, DeviceMemory& memory, DeviceLoadMeter& meter)
      : pe_(pe), driver_(driver), watcher_(watcher), memory_(memory), meter_(meter) {}
  HeldLaunches(const HeldLaunches&) = delete;
  HeldLaunches& operator=(const HeldLaunches&) = delete;

  /// From now on, what the stream is given counts as given, but its device gets it later.
  void hold(StreamState& stream, HeldLaunch& launch);
  /// Lets the device have what the stream holds back.
  void launch(StreamState& stream, LaunchCause cause = LaunchCause::needed) {
    if (stream.is_holding()) [[unlikely]]
      launch_now(stream, cause);
  }
  /// The same of all streams, but those whose last launch of what they held back is not over: what they hold would wait
  /// behind that, and more can join it meanwhile. `more_may_come`: nor those that have not held it for long.
  void give(bool more_may_come);
  /// The same of all streams.
  void give_all();

 private:
  void launch_now(StreamState& stream, LaunchCause cause);

  runtime::Pe& pe_;
  Driver& driver_;
  StreamWatcher& watcher_;
  DeviceMemory& memory_;
  DeviceLoadMeter& meter_;
  std::vector<StreamState*> holding_;
  HoldingTime holding_time_;
};

}  // namespace kaon::gpu
