// SPDX-License-Identifier: Apache-2.0
// A block in the memory of a device, as its entries know it.
#pragma once

#include <cstdint>

#include <kaon/device_entry.hpp>

#include "examples/jacobi3d/resident/cut.hpp"
#include "kaon/gpu/channels/channel_end.hpp"

namespace jacobi3d {

struct ResidentPoints {
  static constexpr bool kIsConstant = true;
  static constexpr int kFaceCount = 6, kMostFlags = kFaceCount + 1;

  Extents shape;
  Cut cut;
  double* values[2];                                // by the parity of the step
  const double* boundary;                           // the value beyond the cube
  kaon::gpu::ChannelEnd<double> sides[kFaceCount];  // by face, for planes; not connected where the cube ends
  kaon::gpu::FlagWord done;                         // by each part, once a step
  kaon::gpu::AwaitedFlag before[4][kMostFlags];     // what a part waits for, by the edges that it has: 1 low, 2 high
  std::uint32_t before_count[4];

  KAON_DEVICE kaon::gpu::AwaitedFlags flags_of(int part) const {
    const int edges = (cut.has_edge(part, 0) ? 1 : 0) + (cut.has_edge(part, 1) ? 2 : 0);
    return {before[edges], before_count[edges]};
  }
  // Whether a neighbor there is on another device.
  KAON_DEVICE bool is_far(int face) const {
    return sides[face].is_connected() && sides[face].scope == kaon::gpu::Scope::system;
  }
};

}  // namespace jacobi3d
