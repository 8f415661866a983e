// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/channels/channel_movers.hpp"

#include <algorithm>
#include <utility>

#include "kaon/gpu/channels/channel_moves.hpp"
#include "kaon/gpu/device/device.hpp"

namespace kaon::gpu {

std::shared_ptr<ChannelMovers> ChannelMovers::of(Device& device) {
  auto movers = device.shared<ChannelMovers>();
  if (!std::exchange(movers->is_listed_, true)) device.watches().add(movers);
  return movers;
}

// By index: what one of them does may bring another.
bool ChannelMovers::look() {
  bool has_happened = false;
  for (std::size_t i = 0; i < moves_.size(); ++i) has_happened |= moves_[i]->look();
  end_those_over();
  return has_happened;
}

void ChannelMovers::end_those_over() {
  const auto all = moves_;
  for (ChannelMoves* moves : all)
    if (moves->is_over()) moves->side().end_moves();
  std::erase_if(kept_, [](const auto& side) { return side->is_at_rest(); });
}

bool ChannelMovers::is_busy() const {
  return std::any_of(moves_.begin(), moves_.end(), [](const ChannelMoves* moves) { return moves->must_look(); });
}

}  // namespace kaon::gpu
