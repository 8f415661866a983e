// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <deque>
#include <utility>

#include "kaon/gpu/buffer.hpp"
#include "kaon/gpu/stream.hpp"

namespace kaon::gpu {

/// The memory of objects that entries use, which stays until none of them does. What a guest has made stays until its
/// device goes.
class ResidentObjects {
 public:
  /// `kernel`: in whose order the memory goes; nullptr: that of another PE.
  explicit ResidentObjects(Stream* kernel) : kernel_(kernel) {}

  /// Memory that is written on the stream `copies`, before settle().
  Buffer<std::byte>& add(std::size_t bytes, Stream& copies) { return memory_.emplace_back(bytes, copies); }
  /// From now on it goes back behind the entries.
  void settle(StreamMemory& memory) {
    if (kernel_ != nullptr) memory.move_to(*kernel_);
  }
  void keep(StreamMemory memory) {
    settle(memory);
    kept_.push_back(std::move(memory));
  }

 private:
  Stream* kernel_;
  std::deque<Buffer<std::byte>> memory_;
  std::deque<StreamMemory> kept_;
};

}  // namespace kaon::gpu
