// expect: an entry of a device names the struct whose entry it is: using Object = ...
// SPDX-License-Identifier: Apache-2.0
#include "tests/refused/device_cells.hpp"

struct Halve {
  template <class At>
  KAON_DEVICE void operator()(At&, Cell& self) const {
    self.value /= 2;
  }
};

void use(Scheduler<>& cells, CellObject cell) { cells.send(cell, Halve{}); }
