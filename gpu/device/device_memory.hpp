// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstddef>

#include "kaon/gpu/device/card.hpp"
#include "kaon/gpu/device/memory.hpp"
#include "kaon/gpu/device/stream_state.hpp"

namespace kaon::runtime {
class Pe;
}

namespace kaon::gpu {

class HeldLaunches;
class StreamOrder;
class StreamPool;
class StreamWatcher;

/// The parts of a Device that DeviceMemory uses.
struct DeviceMemoryContext {
  Card& card;
  const Device& owner;
  runtime::Pe& pe;
  StreamWatcher& watcher;
  StreamPool& streams;
  StreamOrder& order;
  HeldLaunches& held;
};

/// The memory that one PE takes of its device, and pinned memory of the host. A block that comes back is free behind
/// its last use.
class DeviceMemory {
 public:
  explicit DeviceMemory(const DeviceMemoryContext& context);
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// Same as Memory::take(), but waits for the device when no other memory is left. For open-ended work, which may wait
  /// for this PE, it waits only a moment. Throws OutOfMemory when there is still none.
  Block& take(std::size_t bytes, const StreamState* user);
  Block& take_pinned(std::size_t bytes);
  /// Gives a block home. When its last use was on a stream of this device, all that was given to that stream counts.
  void give_back(Block& block, Position last_use) noexcept;
  /// Something was copied into the block, or will be at this position: the block is free behind that only.
  void note_landing(Block& block, Position landed) noexcept;
  /// The blocks of the device, without waits for it.
  Memory& pool() { return pool_; }
  /// Gives memory back to the driver that nobody has needed for a while; which may wait for the device, so not while
  /// anything of it is awaited, nor while a stream of the process has open-ended work.
  void trim();
  /// The same however short the while was.
  void trim_now();

 private:
  Position end_uses(Block& block, Position last);
  Position poison(Block& block, StreamState& stream);
  void wait_for(const Arena& arena);

  const DeviceMemoryContext context_;
  Memory pool_;
  Memory pinned_;
  std::chrono::steady_clock::time_point trimmed_at_{};
};

}  // namespace kaon::gpu
