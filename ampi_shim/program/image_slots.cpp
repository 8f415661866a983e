// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/image_slots.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "kaon/ampi_shim/program/interposition.hpp"
#include "kaon/ampi_shim/program/pages.hpp"
#include "kaon/ampi_shim/program/unwinding.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::ampi {
namespace {

void* map_nothing(std::size_t bytes) {
  return mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

}  // namespace

ImageSlots::ImageSlots(std::size_t image_bytes, std::size_t alignment, std::size_t images_at_a_time,
                       std::size_t unwind_table)
    : stride_(round_up(whole_pages(image_bytes), alignment)),
      alignment_(alignment),
      images_at_a_time_(std::max<std::size_t>(images_at_a_time, 1)),
      unwind_table_(unwind_table) {}

ImageSlots::~ImageSlots() {
  if (are_threads_left()) return;
  for (const auto& reservation : reservations_) {
    forget_images(reservation.start);
    munmap(reservation.start, reservation.bytes);
  }
}

std::byte* ImageSlots::take() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) reserve();
  std::byte* slot = free_.back();
  free_.pop_back();
  return slot;
}

void ImageSlots::give_back(std::byte* slot) noexcept {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  mmap(slot, stride_, PROT_NONE, kFlags, -1, 0);
  const std::lock_guard lock(mutex_);
  free_.push_back(slot);
}

// Where address space is short (ulimit -v), for fewer images.
void ImageSlots::reserve() {
  const auto bytes_for = [this](std::size_t images) { return stride_ * images + alignment_; };
  void* mapped = map_nothing(bytes_for(images_at_a_time_));
  while (mapped == MAP_FAILED && images_at_a_time_ > 1) {
    images_at_a_time_ /= 2;
    mapped = map_nothing(bytes_for(images_at_a_time_));
  }
  if (mapped == MAP_FAILED) {
    throw runtime::OutOfMemory(fmt::format("{} bytes of address space for an image of the program: {}. See ulimit -v",
                                           bytes_for(1), std::strerror(errno)));
  }
  const std::size_t bytes = bytes_for(images_at_a_time_);
  auto* const start = static_cast<std::byte*>(mapped);
  reservations_.push_back({start, bytes});
  const std::size_t skipped =
      round_up(reinterpret_cast<std::size_t>(start), alignment_) - reinterpret_cast<std::size_t>(start);
  remember_images(
      {.start = start, .bytes = bytes, .first = start + skipped, .stride = stride_, .table = unwind_table_});
  free_.reserve(free_.capacity() + images_at_a_time_);  // so that giving back allocates nothing
  for (std::size_t count = images_at_a_time_; count > 0; --count) {
    free_.push_back(start + skipped + (count - 1) * stride_);
  }
}

}  // namespace kaon::ampi
