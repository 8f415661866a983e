// SPDX-License-Identifier: Apache-2.0
// The relaxation as entries that run on a device: a block is a gang of thread blocks, each of which goes on with the
// next step as soon as the parts beside it have come so far, and writes the planes that neighbors need into their
// memory.
#pragma once

#include <cstdint>

#include <kaon/device_entry.hpp>

#include "examples/jacobi3d/resident/column.hpp"
#include "examples/jacobi3d/resident/cut.hpp"

namespace jacobi3d {

// From step to stop - 1; the largest change of the last one goes to where `change` points.
struct Relax {
  using Object = ResidentPoints;
  static constexpr bool kAwaitsFlags = true;
  static constexpr unsigned kMostThreads = 512;
  std::int32_t step, stop;
  double* change;

  template <class At>
  KAON_DEVICE void operator()(At& at, const ResidentPoints& self) const {
    const int part = static_cast<int>(at.part());
    double moved = 0;
    for (int stage = self.cut.first_stage(); stage <= Cut::kRest; ++stage) {
      const Share share(self.cut, stage, part, self.shape.x);
      if (share.first == share.last) continue;
      const double most = relax(at, self, share);
      moved = moved < most ? most : moved;
      if (stage != Cut::kRest) raise_far(at, self, stage);
    }
    at.sync();
    if (is_first_of_warp(at, 1)) at.raise(self.done, 1, kaon::gpu::Scope::device);
    if (is_first_of_warp(at, 2)) raise_beside(at, self);
    if (step + 1 < stop) {
      if (at.is_first()) at.when(self.flags_of(part), step + 1, Relax{step + 1, stop, change});
      return;
    }
    const double most = at.max(moved);
    if (at.is_first()) at.max_into(change, most);
  }

 private:
  // Each item by a warp.
  template <class At>
  KAON_DEVICE double relax(const At& at, const ResidentPoints& self, const Share& share) const {
    constexpr int lanes = At::kWarpLanes < Cut::kWidth ? At::kWarpLanes : Cut::kWidth;
    const int warps = static_cast<int>(at.lanes()) / lanes, warp = static_cast<int>(at.lane()) / lanes;
    const int lane = static_cast<int>(at.lane()) % lanes;
    double moved = 0;
    for (int item = share.first + warp; item < share.last; item += warps) {
      const int chunk = self.cut.by_columns.divide(item), x = share.first_x + chunk * share.planes;
      const int first = (item - chunk * self.cut.columns) * Cut::kWidth, end = first + Cut::kWidth;
      for (int place = first + lane; place < end && place < self.cut.points; place += lanes) {
        Column column(self, step, x, x + share.planes < share.last_x ? x + share.planes : share.last_x, place);
        const double most = column.relax();
        moved = moved < most ? most : moved;
      }
    }
    return moved;
  }
  // The edge travels while the rest is relaxed: what raises its flag waits until it has arrived.
  template <class At>
  KAON_DEVICE static void raise_far(At& at, const ResidentPoints& self, int side) {
    at.sync();
    if (is_first_of_warp(at, 0)) at.raise(self.sides[side].far);
  }
  // Of the last warp but `number`, so that who waits for one flag to be raised holds up no other.
  template <class At>
  KAON_DEVICE static bool is_first_of_warp(const At& at, unsigned number) {
    const unsigned behind = (number + 1) * Cut::kWidth;
    return at.lane() == (at.lanes() > behind ? at.lanes() - behind : 0);
  }
  // Neighbors on other devices that are not beside edges.
  template <class At>
  KAON_DEVICE static void raise_beside(At& at, const ResidentPoints& self) {
    for (int face = 2; face < ResidentPoints::kFaceCount; ++face)
      if (self.sides[face].is_far()) at.raise(self.sides[face].far);
  }
};

// As soon as all have come to the step. `next_change` is for another time.
struct BeginRelax {
  using Object = ResidentPoints;
  static constexpr bool kAwaitsFlags = true;
  std::int32_t step, stop;
  double *change, *next_change;

  template <class At>
  KAON_DEVICE void operator()(At& at, const ResidentPoints& self) const {
    if (!at.is_first()) return;
    if (at.part() == 0) *next_change = 0;
    at.when(self.flags_of(static_cast<int>(at.part())), step, Relax{step, stop, change});
  }
};

using BlockEntries = kaon::gpu::DeviceEntries<Relax, BeginRelax>;

}  // namespace jacobi3d

KAON_DEVICE_ENTRIES(jacobi3d::BlockEntries);
