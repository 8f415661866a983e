// expect: the arguments of an entry of a device are trivially copyable, and 32 bytes at most
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "tests/refused/device_cells.hpp"

struct Name {
  using Object = Cell;
  std::string name;
  template <class At>
  KAON_DEVICE void operator()(At&, Cell&) const {}
};

void use(Scheduler<Name>& cells, CellObject cell) { cells.send(cell, Name{"one"}); }
