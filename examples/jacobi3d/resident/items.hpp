// SPDX-License-Identifier: Apache-2.0
// How the points of a block are shared among the thread blocks, and the warps of those, that relax it together.
#pragma once

#include <cstdint>

#include "examples/jacobi3d/device/sweep.kernels.hpp"

namespace jacobi3d {

// Items of the same number of x planes each, and of `kWidth` points of them that lie side by side: what a warp walks
// through at a time. They are numbered x plane by x plane.
struct Items {
  static constexpr int kWidth = 32;
  int columns = 0, chunks = 0;

  constexpr Items() = default;
  KAON_DEVICE constexpr Items(const Extents& shape, int planes)
      : columns((shape.y * shape.z + kWidth - 1) / kWidth), chunks((shape.x + planes - 1) / planes) {}

  KAON_DEVICE constexpr int count() const { return columns * chunks; }
  KAON_DEVICE constexpr int first_of(std::uint32_t part, std::uint32_t parts) const {
    return static_cast<int>(std::int64_t{count()} * part / parts);
  }
};

// Those of one part.
struct OwnItems {
  int first, last;
  bool is_at_low_x, is_at_high_x;

  KAON_DEVICE constexpr OwnItems(const Items& items, std::uint32_t part, std::uint32_t parts)
      : first(items.first_of(part, parts)),
        last(items.first_of(part + 1, parts)),
        is_at_low_x(first < last && first < items.columns),
        is_at_high_x(first < last && last > items.count() - items.columns) {}

  // Whether it has points at this face, at those of y and z as soon as it has any: it raises the flag there.
  KAON_DEVICE constexpr bool touches(int face) const {
    if (face == 0) return is_at_low_x;
    if (face == 1) return is_at_high_x;
    return first < last;
  }
  // Which of the lists of flags it waits for.
  KAON_DEVICE constexpr int ends() const { return (is_at_low_x ? 1 : 0) + (is_at_high_x ? 2 : 0); }
};

// X planes of an item, so that `parts` of `warps` warps each have nearly the same to do.
int planes_of_item(const Triple& shape, std::uint32_t parts, unsigned warps);
// How many of the parts touch a face.
std::uint32_t parts_at(const Items& items, std::uint32_t parts, Face face);

}  // namespace jacobi3d
