// expect: an argument of an entry of a device points to an object of the host
// SPDX-License-Identifier: Apache-2.0
// shows: AddAll
#include <vector>

#include "tests/refused/device_cells.hpp"

struct Share {
  double by;
  const std::vector<double>* amounts;
};
struct AddAll {
  using Object = Cell;
  Share share;
  template <class At>
  KAON_DEVICE void operator()(At&, Cell&) const {}
};

void use(Scheduler<AddAll>& cells, CellObject cell) { cells.send(cell, AddAll{}); }
