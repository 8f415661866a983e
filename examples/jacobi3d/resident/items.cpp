// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/resident/items.hpp"

namespace jacobi3d {

// An item costs as much as its planes and two more: what it reads before its first one comes late.
int planes_of_item(const Triple& shape, std::uint32_t parts, unsigned warps) {
  constexpr std::int64_t kPlanesToBegin = 2;
  const auto divide_up = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
  int best = shape[0];
  std::int64_t least = INT64_MAX;
  for (int planes = shape[0]; planes > 0; --planes) {
    const std::int64_t items = Items(extents_of(shape), planes).count();
    const std::int64_t cost = divide_up(divide_up(items, parts), warps) * (planes + kPlanesToBegin);
    if (cost >= least) continue;
    least = cost;
    best = planes;
  }
  return best;
}

std::uint32_t parts_at(const Items& items, std::uint32_t parts, Face face) {
  std::uint32_t count = 0;
  for (std::uint32_t part = 0; part < parts; ++part)
    count += OwnItems(items, part, parts).touches(static_cast<int>(number(face))) ? 1 : 0;
  return count;
}

}  // namespace jacobi3d
