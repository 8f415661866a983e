// SPDX-License-Identifier: Apache-2.0
// How the points of a block are shared among the parts that relax it together, and the warps of those.
#pragma once

#include <cstdint>

#include "examples/jacobi3d/device/sweep.kernels.hpp"
#include "examples/jacobi3d/resident/divisor.hpp"

namespace jacobi3d {

// A warp walks through an item at a time: `kWidth` points side by side in each of some x planes, a column. The x planes
// at faces beyond which another device is are edges: they are relaxed first, by few parts, so that they travel while
// the rest is relaxed. The items of the rest are numbered x plane by x plane, and are shared evenly, but for those
// parts that have an edge.
struct Cut {
  static constexpr int kWidth = 32;
  static constexpr int kRest = 2;  // the stage after those of the edges at low and at high x

  Divisor by_z, by_columns;
  int points;           // of an x plane
  int columns;          // of an x plane
  int first_x, last_x;  // of the rest
  int planes;           // of an item of the rest, at most
  int parts;
  int edge_parts[2];                // the first ones have the edge at low x, the last ones that at high x
  int items;                        // of the rest
  int of_edge_part;                 // of those, for each part that has an edge
  int share, shares_with_one_more;  // for the others

  KAON_DEVICE constexpr int first_item(int part) const {
    if (edge_parts[0] + edge_parts[1] == 0) return even(part, share, shares_with_one_more);
    const int low = edge_parts[0], high = parts - edge_parts[1];
    if (low >= high) return even(part, items / parts, items % parts);
    if (part <= low) return part * of_edge_part;
    const int others = part < high ? part - low : high - low;
    const int before = low * of_edge_part + even(others, share, shares_with_one_more);
    return part <= high ? before : before + (part - high) * of_edge_part;
  }
  KAON_DEVICE constexpr int first_stage() const { return edge_parts[0] + edge_parts[1] > 0 ? 0 : kRest; }
  KAON_DEVICE constexpr bool has_edge(int part, int side) const {
    return side == 0 ? part < edge_parts[0] : part >= parts - edge_parts[1];
  }
  // The columns of an edge that a part has, from this one to that of the next part of the edge.
  KAON_DEVICE constexpr int first_column(int part, int side) const {
    const int number = side == 0 ? part : part - (parts - edge_parts[1]);
    return even(number, columns / edge_parts[side], columns % edge_parts[side]);
  }

 private:
  // Where the share of a part begins when some of the first ones have one more.
  KAON_DEVICE static constexpr int even(int part, int share, int with_one_more) {
    return part * share + (part < with_one_more ? part : with_one_more);
  }
};

// What one part does in a stage: items, which begin at an x plane and have so many planes each.
struct Share {
  int first = 0, last = 0;
  int first_x = 0, last_x = 0;
  int planes = 1;

  KAON_DEVICE constexpr Share(const Cut& cut, int stage, int part, int nx) {
    if (stage == Cut::kRest) {
      first = cut.first_item(part), last = cut.first_item(part + 1);
      first_x = cut.first_x, last_x = cut.last_x, planes = cut.planes;
    } else if (cut.has_edge(part, stage)) {
      first = cut.first_column(part, stage), last = cut.first_column(part + 1, stage);
      first_x = stage == 0 ? 0 : nx - 1, last_x = first_x + 1;
    }
  }
};

// Who shares it.
struct Parts {
  int count;
  int warps;          // of each
  bool are_in_cache;  // the points of all blocks of the device
};
// At which x faces another device is.
struct Edges {
  bool low, high;
};

// So that all parts end at nearly the same time.
Cut best_cut(const Triple& shape, const Parts& parts, const Edges& edges);
// How many of them an edge has.
int parts_of_edge(const Triple& shape, const Parts& parts);

}  // namespace jacobi3d
