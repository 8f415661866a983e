// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/raise_behind.hpp"

#include <utility>

#include "kaon/gpu/device/device.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

RaiseBehind::RaiseBehind(Device& device, ArrivalFlag& flag) : device_(device), flag_(&flag) { run = &reached; }

// The run may end first.
RaiseBehind::~RaiseBehind() {
  device_.stream_watcher().forget(*this);
  if (flag_ != nullptr) flag_->will_not_arrive();
}

void RaiseBehind::reached(Work& self, Pe&) {
  auto& raise = static_cast<RaiseBehind&>(self);
  std::exchange(raise.flag_, nullptr)->arrived();
  raise.device_.pe().count_done();
  raise.end();
}

void RaiseBehind::start(Device& device, Position position, ArrivalFlag& flag) {
  if (position.is_known_reached()) return flag.arrived();
  Pe& pe = device.pe();
  pe.count_made();
  auto& raise = make<RaiseBehind>(pe.activities(), pe.pool(), device, flag);
  if (device.stream_watcher().when_reached(position, raise)) reached(raise, pe);
}

}  // namespace kaon::gpu
