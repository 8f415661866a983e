// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "kaon/gpu/channels/channel_side.hpp"
#include "kaon/gpu/device/device_watch.hpp"

namespace kaon::gpu {

class ChannelMoves;
class Device;

/// The ends of channels of a PE for which something is under way since one has moved: it looks at them when it turns to
/// its network, and keeps those that have no owner any more.
class ChannelMovers final : public DeviceWatch {
 public:
  static std::shared_ptr<ChannelMovers> of(Device& device);

  void add(ChannelMoves& moves) { moves_.push_back(&moves); }
  void remove(const ChannelMoves& moves) noexcept { std::erase(moves_, &moves); }
  void keep(std::unique_ptr<ChannelSide> side) { kept_.push_back(std::move(side)); }

  // --- DeviceWatch
  bool look() override;
  bool is_busy() const override;
  bool is_over() const override { return moves_.empty(); }
  bool is_running() const override { return false; }
  void stop() override { kept_.clear(); }

 private:
  void end_those_over();

  std::vector<ChannelMoves*> moves_;
  std::vector<std::unique_ptr<ChannelSide>> kept_;
  bool is_listed_ = false;
};

}  // namespace kaon::gpu
