// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/device/stream_state.hpp"

namespace kaon::runtime {
class Pe;
}

namespace kaon::gpu {

class Card;
class HeldLaunches;
class StreamPool;
class StreamWatcher;

/// The waits of one PE's streams: for positions of streams, of its own and of other PEs, and for flags.
class StreamOrder {
 public:
  StreamOrder(Card& card, const Device& owner, runtime::Pe& pe, StreamWatcher& watcher, StreamPool& streams,
              HeldLaunches& held);
  StreamOrder(const StreamOrder&) = delete;
  StreamOrder& operator=(const StreamOrder&) = delete;

  /// Lets a stream wait for a position of another. Costs nothing when it is reached or its own.
  void wait(StreamState& stream, Position position);
  /// Lets it wait until a flag is raised, which may never be.
  void wait_flag(StreamState& stream, const std::uint32_t* word, std::uint32_t k);
  /// Lets a stream raise a flag behind all that it was given, or will be given of what it holds back.
  void raise(StreamState& stream, RaisedFlag flag);
  /// A position on a stream of this device: behind `position`, or (of a stream of another PE) behind all that its
  /// stream was given by now.
  Position follow(Position position);
  Position follow_all(StreamState& stream);
  /// A position behind both, on the stream of the first, unless that would have to wait for a flag with the other one.
  Position behind_both(Position first, Position other);
  /// Lets other PEs of the process wait for what the stream was given by now, whatever comes behind it.
  void mark_for_others(StreamState& stream);

 private:
  StreamState& order_stream();

  Card& card_;
  Driver& driver_;
  const Device& owner_;
  runtime::Pe& pe_;
  StreamWatcher& watcher_;
  StreamPool& streams_;
  HeldLaunches& held_;
  StreamState* order_stream_ = nullptr;  // does nothing but wait for others
};

}  // namespace kaon::gpu
