// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/channels/round_behind.hpp"

#include <utility>

#include "kaon/gpu/device/device.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

RoundBehind::RoundBehind(Device& device, const SentRound& sent, runtime::Payload<std::byte> values)
    : device_(device), sent_(sent), values_(std::move(values)) {
  run = &reached;
}

// The run may end first.
RoundBehind::~RoundBehind() { device_.stream_watcher().forget(*this); }

void RoundBehind::reached(Work& self, Pe& pe) {
  auto& round = static_cast<RoundBehind&>(self);
  send_channel_payload(pe, round.sent_, std::move(round.values_));
  pe.count_done();
  round.end();
}

void RoundBehind::start(Device& device, Position position, const SentRound& sent, runtime::Payload<std::byte> values) {
  Pe& pe = device.pe();
  pe.count_made();
  auto& round = make<RoundBehind>(pe.activities(), pe.pool(), device, sent, std::move(values));
  if (device.stream_watcher().when_reached(position, round)) reached(round, pe);
}

}  // namespace kaon::gpu
