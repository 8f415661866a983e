// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/device/device.hpp"
#include "kaon/gpu/engines/engine.hpp"

namespace kaon::gpu {

/// The two streams on which an engine copies, made when they are needed.
class StagingStreams {
 public:
  explicit StagingStreams(Device& device, StreamPriority priority = StreamPriority::normal)
      : device_(device), priority_(priority) {}
  StreamState& of(Way way) {
    StreamState*& stream = way == Way::out ? out_ : in_;
    if (stream == nullptr) stream = &device_.streams().take_of_runtime(priority_);
    return *stream;
  }

 private:
  Device& device_;
  StreamPriority priority_;
  StreamState* out_ = nullptr;
  StreamState* in_ = nullptr;
};

}  // namespace kaon::gpu
