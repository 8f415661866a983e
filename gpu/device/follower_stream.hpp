// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <initializer_list>

#include "kaon/gpu/device/stream_state.hpp"

namespace kaon::gpu {

class StreamPool;

/// The stream for a piece of work behind positions of other streams: the one that is usual for such work, unless that
/// is a stream of the runtime's and one of the positions may have to wait until a flag is raised. Work of all chares
/// would stand behind that wait, and with it, perhaps, the work that raises the flag. Then it is a stream of the
/// device's that nobody else gets before the wait is over.
class FollowerStream {
 public:
  FollowerStream(StreamPool& streams, std::initializer_list<Position> behind, StreamState& usual);
  FollowerStream(const FollowerStream&) = delete;
  FollowerStream& operator=(const FollowerStream&) = delete;
  ~FollowerStream();

  StreamState& state() const { return state_; }

 private:
  StreamPool& streams_;
  StreamState& usual_;
  StreamState& state_;
};

}  // namespace kaon::gpu
