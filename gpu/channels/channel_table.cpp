// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/channels/channel_table.hpp"

#include "kaon/gpu/device/device.hpp"

namespace kaon::gpu {

std::shared_ptr<ChannelTable> ChannelTable::of(Device& device) {
  auto table = device.shared<ChannelTable, Device&>(device);
  if (!table->is_listed_ && device.driver().is_stepped()) device.watches().add(table);
  table->is_listed_ = true;
  return table;
}

std::uint32_t ChannelTable::add(ChannelSide& side) {
  sides_.emplace(++last_, &side);
  return last_;
}

ChannelSide* ChannelTable::find(std::uint32_t number) const {
  const auto found = sides_.find(number);
  return found != sides_.end() ? found->second : nullptr;
}

bool ChannelTable::look() { return device_.driver().advance(); }
bool ChannelTable::is_busy() const { return !sides_.empty(); }

}  // namespace kaon::gpu
