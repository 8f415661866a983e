// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/follower_stream.hpp"

#include <algorithm>

#include "kaon/gpu/device/device.hpp"

namespace kaon::gpu {
namespace {

StreamState& chosen(Device& device, std::initializer_list<Position> behind, StreamState& usual) {
  if (!usual.is_of_runtime) return usual;
  const bool may_wait =
      std::any_of(behind.begin(), behind.end(), [](Position each) { return each.may_wait_for_flag(); });
  return may_wait ? device.take_stream() : usual;
}

}  // namespace

FollowerStream::FollowerStream(Device& device, std::initializer_list<Position> behind, StreamState& usual)
    : device_(device), usual_(usual), state_(chosen(device, behind, usual)) {}

FollowerStream::~FollowerStream() {
  if (&state_ != &usual_) device_.give_back(state_);
}

}  // namespace kaon::gpu
