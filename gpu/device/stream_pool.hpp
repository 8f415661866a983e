// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "kaon/gpu/device/card.hpp"
#include "kaon/gpu/device/stream_state.hpp"
#include "kaon/gpu/device/stream_watcher.hpp"

namespace kaon::gpu {

/// The streams that one PE has of its device. A stream that is given back is taken again when it waits for no flag any
/// more.
class StreamPool {
 public:
  StreamPool(Card& card, Device& owner, StreamWatcher& watcher) : card_(card), owner_(owner), watcher_(watcher) {}
  StreamPool(const StreamPool&) = delete;
  StreamPool& operator=(const StreamPool&) = delete;
  /// Requires that all work given to the streams is done.
  ~StreamPool();

  /// One that waits for no flag any more, whoever had it before.
  StreamState& take(StreamPriority priority = StreamPriority::normal);
  /// One for work of all chares, which is never given back. It must not wait for what may wait for a flag: what is
  /// ordered behind that takes a FollowerStream, or is given when the host has seen that it is reached.
  StreamState& take_of_runtime(StreamPriority priority = StreamPriority::normal);
  StreamState& shared(std::size_t number);
  /// A stream that somebody else made, for this device; the same state for the same stream.
  StreamState& adopt(NativeStream native);
  /// Gives back a stream. Work that was given to it still runs.
  void give_back(StreamState& stream);
  const std::vector<StreamState*>& all() const { return all_; }

 private:
  struct WaitingStream {  // that was let go while it may wait for a flag
    StreamState* stream;
    StreamWatcher::OwnedEvent behind_wait;
  };
  StreamState* take_free(StreamPriority priority);
  StreamState& add(NativeStream native);

  Card& card_;
  Device& owner_;
  StreamWatcher& watcher_;
  std::vector<StreamState*> all_;  // the card's
  std::array<std::vector<StreamState*>, kStreamPriorities> free_;
  std::vector<WaitingStream> waiting_;
  std::vector<StreamState*> shared_;
};

}  // namespace kaon::gpu
