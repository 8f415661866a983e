// SPDX-License-Identifier: Apache-2.0
// The relaxation as entries that run on a device: a block is a gang of thread blocks, each of which goes on with the
// next step as soon as the parts beside it have come so far, and writes the planes that neighbors need into their
// memory.
#pragma once

#include <cstdint>

#include <kaon/device_entry.hpp>

#include "examples/jacobi3d/resident/column.hpp"
#include "examples/jacobi3d/resident/items.hpp"

namespace jacobi3d {

// From step to stop - 1; the largest change of the last one goes to where `change` points.
struct Relax {
  using Object = ResidentPoints;
  static constexpr unsigned kMostThreads = 512;
  std::int32_t step, stop;
  double* change;

  template <class At>
  KAON_DEVICE void operator()(At& at, ResidentPoints& self) const {
    const OwnItems own(Items(self.shape, self.planes), at.part(), at.parts());
    const double moved = relax(at, self, own);
    at.sync();
    raise(at, self, own);
    if (step + 1 < stop) {
      if (at.is_first()) at.when(self.before[own.ends()], step + 1, Relax{step + 1, stop, change});
      return;
    }
    const double most = at.max(moved);
    if (at.is_first()) at.max_into(change, most);
  }

 private:
  template <class At>
  KAON_DEVICE double relax(At& at, const ResidentPoints& self, const OwnItems& own) const {
    const auto lanes = static_cast<int>(at.lanes() < Items::kWidth ? at.lanes() : Items::kWidth);
    const int warps = static_cast<int>(at.lanes()) / lanes, warp = static_cast<int>(at.lane()) / lanes;
    const int lane = static_cast<int>(at.lane()) % lanes;
    const Items items(self.shape, self.planes);
    const int points = self.shape.y * self.shape.z;
    double moved = 0;
    for (int item = own.first + warp; item < own.last; item += warps) {
      const int first = item % items.columns * Items::kWidth;
      for (int place = first + lane; place < first + Items::kWidth && place < points; place += lanes) {
        const double here = Column(self, step, item / items.columns, place).relax();
        moved = moved < here ? here : moved;
      }
    }
    return moved;
  }
  // Each flag by a thread of its own, so that they are on their way together.
  template <class At>
  KAON_DEVICE static void raise(At& at, const ResidentPoints& self, const OwnItems& own) {
    for (std::size_t i = at.lane(); i <= 6; i += at.lanes()) {
      if (i == 6)
        at.raise(self.done, 1, kaon::gpu::Scope::device);
      else if (self.sides[i].is_connected() && own.touches(static_cast<int>(i)))
        at.raise(self.sides[i].partner_arrived, 1, self.sides[i].scope);
    }
  }
};

// As soon as all have come to the step. `next_change` is for another time.
struct BeginRelax {
  using Object = ResidentPoints;
  std::int32_t step, stop;
  double *change, *next_change;

  template <class At>
  KAON_DEVICE void operator()(At& at, ResidentPoints& self) const {
    if (!at.is_first()) return;
    const OwnItems own(Items(self.shape, self.planes), at.part(), at.parts());
    if (at.part() == 0) *next_change = 0;
    at.when(self.before[own.ends()], step, Relax{step, stop, change});
  }
};

using BlockEntries = kaon::gpu::DeviceEntries<Relax, BeginRelax>;

}  // namespace jacobi3d

KAON_DEVICE_ENTRIES(jacobi3d::BlockEntries);
