// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/puts/copy_room.hpp"

#include <algorithm>
#include <thread>

#include "kaon/gpu/backends/copy_rooms.hpp"
#include "kaon/gpu/device/device.hpp"

namespace kaon::gpu {

CopyRoom CopyRoom::take(Device& device, std::size_t count, const StartedCopy& like, NativeStream stream) {
  constexpr std::size_t kAtOnce = 1024;
  Driver& driver = device.driver();
  CopyRooms& rooms = driver.copy_rooms();
  FreeGate& gate = device.card().free_gate();
  const int number = device.number();
  while (!rooms.take(number, count)) {
    if (const FreeGate::Pass pass(&gate, number); pass) {
      driver.make_copy_room(number, std::max(kAtOnce, rooms.taken(number) + count), like, stream);
      continue;
    }
    if (gate.is_open_ended(number)) return {};
    std::this_thread::yield();  // another thread gives memory back
  }
  return {rooms, number, count};
}

CopyRoom::~CopyRoom() {
  if (rooms_ != nullptr) rooms_->give_back(device_, count_);
}

}  // namespace kaon::gpu
