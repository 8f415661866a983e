// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <mutex>
#include <vector>

namespace kaon::gpu {

/// When the emulation waits where CUDA would make room for prepared copies: see CopyRooms, of which CUDA knows nothing.
class HostCopyRooms {
 public:
  explicit HostCopyRooms(int devices) : rooms_(static_cast<std::size_t>(devices)) {}

  /// One more copy. True: there was no room for it.
  bool add(int device) {
    constexpr std::size_t kChunk = 32;
    const std::lock_guard hold(lock_);
    Room& room = rooms_[static_cast<std::size_t>(device)];
    if (++room.count <= room.most) return false;
    room.most += kChunk;
    return true;
  }
  void remove(int device) noexcept {
    const std::lock_guard hold(lock_);
    --rooms_[static_cast<std::size_t>(device)].count;
  }
  void grow(int device, std::size_t count) {
    const std::lock_guard hold(lock_);
    std::size_t& most = rooms_[static_cast<std::size_t>(device)].most;
    most = std::max(most, count);
  }

 private:
  struct Room {
    std::size_t count = 0, most = 0;
  };
  std::mutex lock_;
  std::vector<Room> rooms_;  // by device
};

}  // namespace kaon::gpu
