// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/backends/driver.hpp"

namespace kaon::gpu {

/// Places of one stream that other PEs of the process may wait for: its owner records an event behind what it hands to
/// them. Who asked later could only record one behind all that the stream was given meanwhile. The oldest event is
/// recorded anew, by the owner's thread, for this stream alone: who finds its old place waits a little longer than
/// needed, never too short.
class SharedMarks {
 public:
  /// Behind all that the stream was given by now, which is `position`. The owner's thread.
  void add(Driver& driver, int device, NativeStream stream, std::uint64_t position) {
    if (newest_ == position) return;
    Mark& mark = marks_[next_];
    next_ = (next_ + 1) % marks_.size();
    NativeEvent event = mark.event.load(std::memory_order_relaxed);
    if (event == nullptr) event = driver.make_event(device);
    mark.event.store(event, std::memory_order_relaxed);
    driver.record(event, stream);
    mark.position.store(position, std::memory_order_release);  // acquire in at(): the event was recorded
    newest_ = position;
  }

  /// An event that is reached when the position is, or as little later as is known; nullptr: there is none. Any thread.
  NativeEvent at(std::uint64_t position) const {
    NativeEvent event = nullptr;
    std::uint64_t best = ~std::uint64_t{0};
    for (const Mark& mark : marks_) {
      const std::uint64_t place = mark.position.load(std::memory_order_acquire);
      if (place < position || place >= best) continue;
      best = place;
      event = mark.event.load(std::memory_order_relaxed);
    }
    return event;
  }

  /// When no other PE runs any more.
  void clear(Driver& driver) noexcept {
    for (Mark& mark : marks_)
      if (NativeEvent event = mark.event.exchange(nullptr, std::memory_order_relaxed); event != nullptr)
        driver.destroy_event(event);
  }

 private:
  struct Mark {
    std::atomic<std::uint64_t> position{0};  // 0: none, as every stream has reached it
    std::atomic<NativeEvent> event{nullptr};
  };
  std::array<Mark, 32> marks_;
  std::size_t next_ = 0;      // the owner's
  std::uint64_t newest_ = 0;  // the owner's
};

}  // namespace kaon::gpu
