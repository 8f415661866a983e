// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <utility>

#include "kaon/gpu/backends/driver.hpp"

namespace kaon::gpu {

class Device;

/// Room of a device's driver for the prepared copies of a list. It goes back when this ends, behind the copies.
class CopyRoom {
 public:
  CopyRoom() = default;
  /// Takes room for `count` copies. Where the driver has less, it makes room for many copies like `like`, which takes
  /// some 40 ms and waits for kernels that run. Empty, if that could wait for ever: the process has open-ended work on
  /// the device.
  static CopyRoom take(Device& device, std::size_t count, const StartedCopy& like, NativeStream stream);
  CopyRoom(CopyRoom&& other) noexcept
      : rooms_(std::exchange(other.rooms_, nullptr)), device_(other.device_), count_(other.count_) {}
  CopyRoom& operator=(CopyRoom&& other) noexcept {
    std::swap(rooms_, other.rooms_);
    std::swap(device_, other.device_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~CopyRoom();
  explicit operator bool() const { return rooms_ != nullptr; }

 private:
  CopyRoom(CopyRooms& rooms, int device, std::size_t count) : rooms_(&rooms), device_(device), count_(count) {}

  CopyRooms* rooms_ = nullptr;
  int device_ = 0;
  std::size_t count_ = 0;
};

}  // namespace kaon::gpu
