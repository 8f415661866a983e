// expect: what an entry of a device returns is trivially copyable, and 32 bytes at most
// SPDX-License-Identifier: Apache-2.0
#include "tests/refused/device_cells.hpp"

struct Values {
  double values[5];
};
struct Read {
  using Object = Cell;
  template <class At>
  KAON_DEVICE Values operator()(At&, Cell& self) const {
    return {{self.value}};
  }
};

void use(Scheduler<Read>& cells, CellObject cell) { (void)cells.call(cell, Read{}); }
