// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/channels/channel_staging.hpp"
#include "kaon/gpu/device/stream_state.hpp"
#include "kaon/runtime/work/activity.hpp"

namespace kaon::gpu {

class Device;

/// A round of a channel that is sent when its stream has written it, and not before. The streams that bring payloads to
/// the network have others behind it: behind a stream that waits for a flag they would wait with it, and the partner
/// for what he must have before he raises that.
class RoundBehind final : public Activity {
 public:
  static void start(Device& device, Position position, const SentRound& sent, runtime::Payload<std::byte> values);

  RoundBehind(Device& device, const SentRound& sent, runtime::Payload<std::byte> values);

 private:
  ~RoundBehind() override;
  static void reached(Work& self, Pe& pe);

  Device& device_;
  SentRound sent_;
  runtime::Payload<std::byte> values_;
};

}  // namespace kaon::gpu
