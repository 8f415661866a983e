// SPDX-License-Identifier: Apache-2.0
// A block in the memory of a device, as its entries know it.
#pragma once

#include <cstdint>

#include <kaon/device_entry.hpp>

#include "examples/jacobi3d/resident/cut.hpp"

namespace jacobi3d {

// What is at a face of a block: values beyond it, of a neighbor's plane in the memory here or, where the cube ends, one
// for all; and where a neighbor wants its values. Each by the parity of the step that reads, or will read.
struct Side {
  const double* in[2];
  double* out[2];           // nullptr: nowhere
  int row;                  // from the values of an x plane to those of the next; 0 of one for all
  int point;                // from a point of an x plane to the next; 0 of one for all
  kaon::gpu::FlagWord far;  // raised for a neighbor on another device

  KAON_DEVICE bool is_far() const { return far.word != nullptr; }
};

struct ResidentPoints {
  static constexpr bool kIsConstant = true;
  static constexpr int kFaceCount = 6, kMostFlags = kFaceCount + 1;

  Extents shape;
  Cut cut;
  double* values[2];  // by the parity of the step
  Side sides[kFaceCount];
  kaon::gpu::FlagWord done;                      // by each part, once a step
  kaon::gpu::AwaitedFlag before[4][kMostFlags];  // what a part waits for, by the edges that it has: 1 low, 2 high
  std::uint32_t before_count[4];

  KAON_DEVICE kaon::gpu::AwaitedFlags flags_of(int part) const {
    const int edges = (cut.has_edge(part, 0) ? 1 : 0) + (cut.has_edge(part, 1) ? 2 : 0);
    return {before[edges], before_count[edges]};
  }
};

}  // namespace jacobi3d
