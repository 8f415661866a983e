// expect: the arguments of an entry of a device are trivially copyable, and 32 bytes at most
// SPDX-License-Identifier: Apache-2.0
#include "tests/refused/device_cells.hpp"

struct AddAll {
  using Object = Cell;
  double amounts[5];
  template <class At>
  KAON_DEVICE void operator()(At&, Cell& self) const {
    for (const double amount : amounts) self.value += amount;
  }
};

void use(Scheduler<AddAll>& cells, CellObject cell) { cells.send(cell, AddAll{}); }
