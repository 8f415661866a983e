// expect: this entry is not in the DeviceEntries of the scheduler
// SPDX-License-Identifier: Apache-2.0
#include "tests/refused/device_cells.hpp"

struct Halve {
  using Object = Cell;
  template <class At>
  KAON_DEVICE void operator()(At&, Cell& self) const {
    self.value /= 2;
  }
};

void use(Scheduler<>& cells, CellObject cell) { cells.send(cell, Halve{}); }
