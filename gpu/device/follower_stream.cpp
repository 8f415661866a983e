// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/follower_stream.hpp"

#include <algorithm>

#include "kaon/gpu/device/stream_pool.hpp"

namespace kaon::gpu {
namespace {

StreamState& chosen(StreamPool& streams, std::initializer_list<Position> behind, StreamState& usual) {
  if (!usual.is_of_runtime) return usual;
  const bool may_wait =
      std::any_of(behind.begin(), behind.end(), [](Position each) { return each.may_wait_for_flag(); });
  return may_wait ? streams.take() : usual;
}

}  // namespace

FollowerStream::FollowerStream(StreamPool& streams, std::initializer_list<Position> behind, StreamState& usual)
    : streams_(streams), usual_(usual), state_(chosen(streams, behind, usual)) {}

FollowerStream::~FollowerStream() {
  if (&state_ != &usual_) streams_.give_back(state_);
}

}  // namespace kaon::gpu
