// SPDX-License-Identifier: Apache-2.0
// How a thread relaxes one point of each of some x planes: several of them are read before the first is written, so
// that they come together. Device code.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include <kaon/device_entry.hpp>

#include "examples/jacobi3d/device/sixth.hpp"
#include "examples/jacobi3d/device/sweep.kernels.hpp"
#include "kaon/gpu/channels/channel_end.hpp"

namespace jacobi3d {

// A block in the memory of a device, as its entries know it.
struct ResidentPoints {
  Extents shape;
  int planes;                              // x planes that a thread walks through
  double* values[2];                       // by the parity of the step
  const double* boundary;                  // the value beyond the cube
  kaon::gpu::ChannelEnd<double> sides[6];  // by face, for planes; not connected where the cube ends
  kaon::gpu::FlagWord done;                // by each part, once a step
  kaon::gpu::AwaitedFlags before[4];       // what a part waits for, by OwnItems::ends()
};

class Column {
 public:
  // `place`: of the point in each x plane.
  KAON_DEVICE Column(const ResidentPoints& block, std::int32_t step, int chunk, int place)
      : block_(block),
        step_(static_cast<std::uint32_t>(step)),
        place_(place),
        y_(place / block.shape.z),
        z_(place % block.shape.z),
        first_(chunk * block.planes),
        last_(first_ + block.planes < block.shape.x ? first_ + block.planes : block.shape.x),
        plane_(std::ptrdiff_t{block.shape.y} * block.shape.z) {}

  // Returns the largest change.
  KAON_DEVICE double relax() const {
    const std::ptrdiff_t begin = first_ * plane_ + place_;
    const double* here = block_.values[step_ % 2] + begin;
    double* next = block_.values[(step_ + 1) % 2] + begin;
    const double* const above = last_ < block_.shape.x ? here + (last_ - first_) * plane_ : beyond(1, place_);
    const int ny = block_.shape.y, nz = block_.shape.z;
    Beside y_low = beside(y_ > 0, here - nz, 2), y_high = beside(y_ + 1 < ny, here + nz, 3);
    Beside z_low = beside(z_ > 0, here - 1, 4), z_high = beside(z_ + 1 < nz, here + 1, 5);
    const unsigned outer = outer_faces();
    double low = first_ > 0 ? here[-plane_] : *beyond(0, place_), center = *here, change = 0;
    for (int left = last_ - first_, x = first_; left > 0; left -= kBatch, x += kBatch) {
      double x_high[kBatch], y_lows[kBatch], y_highs[kBatch], z_lows[kBatch], z_highs[kBatch];
      for (int b = 0; b < kBatch; ++b) {
        const int i = b < left ? b : left - 1;  // what lies behind the end is read twice, and not used
        x_high[b] = i + 1 < left ? here[(i + 1) * plane_] : *above;
        y_lows[b] = y_low.at[i * y_low.step], y_highs[b] = y_high.at[i * y_high.step];
        z_lows[b] = z_low.at[i * z_low.step], z_highs[b] = z_high.at[i * z_high.step];
      }
      for (int b = 0; b < kBatch && b < left; ++b) {
        // The order of the additions is part of the result's definition.
        const double value = sixth(((((low + x_high[b]) + y_lows[b]) + y_highs[b]) + z_lows[b]) + z_highs[b]);
        next[b * plane_] = value;
        if (outer != 0) copy_out(outer, x + b, value);
        const double moved = std::fabs(value - center);
        change = change < moved ? moved : change;
        low = center, center = x_high[b];
      }
      here += kBatch * plane_, next += kBatch * plane_;
      y_low.advance(), y_high.advance(), z_low.advance(), z_high.advance();
    }
    return change;
  }

 private:
  static constexpr int kBatch = 4;

  // Values beside the points, one in each x plane.
  struct Beside {
    const double* at;
    std::ptrdiff_t step;
    KAON_DEVICE void advance() { at += kBatch * step; }
  };
  KAON_DEVICE const double* beyond(int face, std::ptrdiff_t place) const {
    const auto& side = block_.sides[face];
    return side.is_connected() ? side.in(step_) + place : block_.boundary;
  }
  KAON_DEVICE Beside beside(bool is_inside, const double* inside, int face) const {
    if (is_inside) return {inside, plane_};
    if (!block_.sides[face].is_connected()) return {block_.boundary, 0};
    return {beyond(face, place_in(face, first_)), row_of(face)};
  }
  // Where the point of an x plane lies in the planes at the faces of y and z.
  KAON_DEVICE std::ptrdiff_t row_of(int face) const { return face < 4 ? block_.shape.z : block_.shape.y; }
  KAON_DEVICE std::ptrdiff_t place_in(int face, int x) const { return x * row_of(face) + (face < 4 ? z_ : y_); }

  // Those that a neighbor needs, by bits.
  KAON_DEVICE unsigned outer_faces() const {
    const bool is_at[6] = {first_ == 0, last_ == block_.shape.x, y_ == 0, y_ + 1 == block_.shape.y,
                           z_ == 0,     z_ + 1 == block_.shape.z};
    unsigned faces = 0;
    for (int face = 0; face < 6; ++face) faces |= is_at[face] && block_.sides[face].is_connected() ? 1U << face : 0;
    return faces;
  }
  KAON_DEVICE void copy_out(unsigned faces, int x, double value) const {
    if ((faces & 1) != 0 && x == 0) out(0)[place_] = value;
    if ((faces & 2) != 0 && x + 1 == block_.shape.x) out(1)[place_] = value;
    for (int face = 2; face < 6; ++face)
      if ((faces >> face & 1) != 0) out(face)[place_in(face, x)] = value;
  }
  KAON_DEVICE double* out(int face) const { return block_.sides[face].out(step_ + 1); }

  const ResidentPoints& block_;
  const std::uint32_t step_;
  const int place_, y_, z_;
  const int first_, last_;  // x planes
  const std::ptrdiff_t plane_;
};

}  // namespace jacobi3d
