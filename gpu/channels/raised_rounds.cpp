// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/channels/raised_rounds.hpp"

#include "kaon/gpu/channels/channel_side.hpp"
#include "kaon/gpu/device/device.hpp"
#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/gpu/platform/platform.hpp"

namespace kaon::gpu {

std::shared_ptr<RaisedRounds> RaisedRounds::of(Device& device, ChannelSide& side) {
  auto rounds = std::make_shared<RaisedRounds>(these_payloads().platform().shared_flags(), side);
  device.watches().add(rounds);
  return rounds;
}

RaisedRounds::RaisedRounds(SharedFlags& flags, ChannelSide& side)
    : flags_(flags), place_(flags.take()), flag_{flags.open(place_)}, side_(&side) {}

void RaisedRounds::give_back() {
  end();
  flags_.give_back(place_);
}

bool RaisedRounds::look() { return side_ != nullptr && side_->send_raised(); }

}  // namespace kaon::gpu
