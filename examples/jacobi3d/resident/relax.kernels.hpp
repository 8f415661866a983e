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
  static constexpr unsigned kMostThreads = 512;
  std::int32_t step, stop;
  double* change;

  template <class At>
  KAON_DEVICE void operator()(At& at, const ResidentPoints& self) const {
    const int part = static_cast<int>(at.part());
    double moved = 0;
    for (const int side : {0, 1})
      if (self.cut.has_edge(part, side)) moved = larger(moved, relax_edge(at, self, side));
    moved = larger(moved, relax_rest(at, self));
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
  KAON_DEVICE static double larger(double a, double b) { return a < b ? b : a; }

  // The edge travels while the rest is relaxed: what raises its flag waits until it has arrived.
  template <class At>
  KAON_DEVICE double relax_edge(At& at, const ResidentPoints& self, int side) const {
    const Cut& cut = self.cut;
    const int x = side == 0 ? 0 : self.shape.x - 1, part = static_cast<int>(at.part());
    const double moved = relax_items(
        at, cut.first_column(part, side), cut.first_column(part + 1, side),
        [&](int item, int& column) {
          column = item;
          return Planes{x, x + 1};
        },
        self);
    at.sync();
    if (is_first_of_warp(at, 0)) at.raise(self.sides[side].partner_arrived);
    return moved;
  }
  template <class At>
  KAON_DEVICE double relax_rest(At& at, const ResidentPoints& self) const {
    const Cut& cut = self.cut;
    const int part = static_cast<int>(at.part());
    return relax_items(
        at, cut.first_item(part), cut.first_item(part + 1),
        [&cut](int item, int& column) {
          const int chunk = cut.by_columns.divide(item), first = cut.first_x + chunk * cut.planes;
          column = item - chunk * cut.columns;
          return Planes{first, first + cut.planes < cut.last_x ? first + cut.planes : cut.last_x};
        },
        self);
  }

  struct Planes {
    int first, last;
  };
  // Each item by a warp; `planes_of(item, column)` says what it is.
  template <class At, class PlanesOf>
  KAON_DEVICE double relax_items(const At& at, int first, int last, PlanesOf planes_of,
                                 const ResidentPoints& self) const {
    constexpr int lanes = At::kWarpLanes < Cut::kWidth ? At::kWarpLanes : Cut::kWidth;
    const int warps = static_cast<int>(at.lanes()) / lanes, warp = static_cast<int>(at.lane()) / lanes;
    const int lane = static_cast<int>(at.lane()) % lanes;
    double moved = 0;
    for (int item = first + warp; item < last; item += warps) {
      int column = 0;
      const Planes planes = planes_of(item, column);
      const int end = (column + 1) * Cut::kWidth < self.cut.points ? (column + 1) * Cut::kWidth : self.cut.points;
      for (int place = column * Cut::kWidth + lane; place < end; place += lanes)
        moved = larger(moved, Column(self, step, planes.first, planes.last, place).relax());
    }
    return moved;
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
      if (self.is_far(face)) at.raise(self.sides[face].partner_arrived);
  }
};

// As soon as all have come to the step. `next_change` is for another time.
struct BeginRelax {
  using Object = ResidentPoints;
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
