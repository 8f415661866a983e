// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

namespace kaon::ampi {

/// Addresses at which there are images of a program, one every `stride` bytes from `first` on.
struct ImageRange {
  std::byte* start;
  std::size_t bytes;
  std::byte* first;
  std::size_t stride;
  std::size_t table;  // of an image, for exceptions: .eh_frame_hdr, counted from its start; 0 for none
};

/// From now on exceptions that are thrown in these images find their handlers. Any thread.
void remember_images(const ImageRange& range);
void forget_images(const std::byte* start) noexcept;

/// The start of the image that holds this address, or null.
std::byte* find_image(const void* address) noexcept;

}  // namespace kaon::ampi
