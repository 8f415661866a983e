// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <deque>
#include <mutex>

#include "kaon/gpu/device/arena.hpp"
#include "kaon/gpu/device/stream_state.hpp"

namespace kaon::gpu {

/// A device as a process uses it, which its PEs share: the memory, of which each keeps a little, and the states of
/// streams, which positions in that memory refer to. A PE's own view of it is its Device.
class Card {
 public:
  /// `most_bytes`: of its memory that may be taken; 0: all of it.
  Card(Driver& driver, RegionTable& regions, int number, std::size_t most_bytes);
  Card(const Card&) = delete;
  Card& operator=(const Card&) = delete;

  int number() const { return number_; }
  const DeviceDescription& description() const { return description_; }
  Arena& memory() { return memory_; }
  /// Any thread. It lives as long as the card.
  StreamState& add_stream();

 private:
  int number_;
  DeviceDescription description_;
  Arena memory_;
  std::mutex lock_;  // guards streams_
  std::deque<StreamState> streams_;
};

}  // namespace kaon::gpu
