// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <mutex>
#include <vector>

namespace kaon::ampi {

/// Address space for the images of one program, reserved for many at a time, so that an address tells its image. All
/// images have the same size. Exceptions find their way through code in a slot (see unwinding.cpp).
class ImageSlots {
 public:
  /// `unwind_table` is where each image has its table for exceptions, counted from its start; 0 for none.
  ImageSlots(std::size_t image_bytes, std::size_t alignment, std::size_t images_at_a_time, std::size_t unwind_table);
  ~ImageSlots();
  ImageSlots(const ImageSlots&) = delete;
  ImageSlots& operator=(const ImageSlots&) = delete;

  /// Address space without memory. Any thread. Throws runtime::OutOfMemory.
  std::byte* take();
  /// Its memory goes back to the system.
  void give_back(std::byte* slot) noexcept;

 private:
  struct Reservation {
    std::byte* start;
    std::size_t bytes;
  };
  void reserve();

  std::size_t stride_;
  std::size_t alignment_;
  std::size_t images_at_a_time_;
  std::size_t unwind_table_;
  std::mutex mutex_;  // of the following
  std::vector<Reservation> reservations_;
  std::vector<std::byte*> free_;
};

}  // namespace kaon::ampi
