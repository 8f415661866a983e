// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>

#include "kaon/gpu/device/device_watch.hpp"
#include "kaon/gpu/device/shared_flags.hpp"
#include "kaon/gpu/kernels/flag_device.hpp"

namespace kaon::gpu {

class ChannelSide;
class Device;

/// How kernels give rounds to a partner out of reach: they raise a word in memory of the host, at which the PE looks
/// when it turns to its network, and it sends what they have written. As kernels raise it when they like, the PE does
/// not sleep meanwhile.
class RaisedRounds final : public DeviceWatch {
 public:
  /// Until end(), which the side calls.
  static std::shared_ptr<RaisedRounds> of(Device& device, ChannelSide& side);
  RaisedRounds(SharedFlags& flags, ChannelSide& side);

  FlagWord flag() const { return flag_; }
  /// Nobody raises it any more: another may have the word.
  void give_back();
  void end() noexcept { side_ = nullptr; }

  // --- DeviceWatch
  bool look() override;
  bool is_busy() const override { return side_ != nullptr; }
  bool is_over() const override { return side_ == nullptr; }
  bool is_running() const override { return false; }
  void stop() override {}

 private:
  SharedFlags& flags_;
  SharedFlagPlace place_;
  FlagWord flag_;
  ChannelSide* side_;  // nullptr: it has ended
};

}  // namespace kaon::gpu
