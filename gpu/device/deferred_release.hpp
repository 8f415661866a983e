// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/device/region.hpp"
#include "kaon/gpu/device/stream_watcher.hpp"
#include "kaon/runtime/payloads/sent.hpp"
#include "kaon/runtime/work/activity.hpp"

namespace kaon::gpu {

class Device;

/// Ends `activity` when its stream has done what it was given before `last_use`; or at a fault of the device, behind
/// which nothing is reached any more.
void end_when_reached(Device& device, Position last_use, Activity& activity);

/// The end of a payload whose memory a stream still uses: when the stream is done, its sender is told and registered
/// memory has one use less.
class DeferredRelease final : public Activity {
 public:
  /// Either may be nullptr.
  static void start(Device& device, Position last_use, Region* region, SentSignal* signal);

  DeferredRelease(Device& device, Region* region, SentSignal* signal)
      : device_(device), region_(region), signal_(signal) {}

 private:
  ~DeferredRelease() override;
  static void finish(Region* region, SentSignal* signal) noexcept;

  Device& device_;
  Region* region_;
  SentSignal* signal_;
};

}  // namespace kaon::gpu
