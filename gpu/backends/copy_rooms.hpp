// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <map>
#include <mutex>

namespace kaon::gpu {

/// Counts the prepared copies of each device, and how many of them its driver has room for. CUDA makes more room when
/// a graph is instantiated, but only behind all kernels that run on the device, and keeps it for good (two H200, CUDA
/// 13: the 33rd graph waited; after 300 were made and destroyed none of 300 did). So Kaon makes much room at once,
/// and beside kernels that run on it only takes what there is. The end of a graph waits for them, too. Any thread.
class CopyRooms {
 public:
  /// Takes room for `count` copies. False: there is less.
  bool take(int device, std::size_t count) {
    const std::lock_guard hold(lock_);
    Room& room = rooms_[device];
    if (room.made - room.taken < count) return false;
    room.taken += count;
    return true;
  }
  void give_back(int device, std::size_t count) noexcept {
    const std::lock_guard hold(lock_);
    rooms_[device].taken -= count;
  }
  std::size_t taken(int device) {
    const std::lock_guard hold(lock_);
    return rooms_[device].taken;
  }
  /// The driver has room for `count` copies in all, or more.
  void grow(int device, std::size_t count) {
    const std::lock_guard hold(lock_);
    if (Room& room = rooms_[device]; room.made < count) room.made = count;
  }

 private:
  struct Room {
    std::size_t made = 0, taken = 0;
  };
  std::mutex lock_;
  std::map<int, Room> rooms_;  // by device
};

}  // namespace kaon::gpu
