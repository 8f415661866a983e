// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>

namespace kaon::gpu {

/// Sizes of blocks: four for each doubling from 1 KiB on, multiples of 256 bytes below. Those beyond kLargestCut are
/// multiples of 2 MiB.
struct SizeClass {
  static constexpr std::size_t kAlignment = 256;
  static constexpr std::size_t kSmall = std::size_t{32} << 10;       // up to here several share a chunk
  static constexpr std::size_t kLargestCut = std::size_t{16} << 20;  // beyond, a block is asked for by its size alone
  static constexpr std::size_t kCount = std::size_t{4} * 64;

  std::size_t number;  // below kCount
  std::size_t bytes;   // of a block

  /// The smallest that holds `bytes`: at most a quarter more.
  static constexpr SizeClass of(std::size_t bytes) {
    constexpr std::size_t kPage = std::size_t{2} << 20;
    const std::size_t last = (std::max<std::size_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment - 1;
    const auto highest = static_cast<std::size_t>(std::bit_width(last)) - 1;
    const std::size_t step = (std::size_t{1} << highest) / 4;
    const std::size_t number = highest * 4 + (last >> (highest - 2) & 3);
    return {number, bytes > kLargestCut ? (bytes + kPage - 1) / kPage * kPage : (last / step + 1) * step};
  }
  constexpr bool is_small() const { return bytes <= kSmall; }
  /// The size of a chunk of such blocks.
  constexpr std::size_t chunk_bytes() const {
    return !is_small() ? bytes : bytes <= kSmall / 4 ? 2 * kSmall : 8 * kSmall;
  }
};

}  // namespace kaon::gpu
