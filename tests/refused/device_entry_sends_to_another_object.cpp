// expect: send(object, entry): this is an entry of another class of objects
// SPDX-License-Identifier: Apache-2.0
#include "tests/refused/device_cells.hpp"

struct Spill {
  using Object = Cell;
  template <class At>
  KAON_DEVICE void operator()(At& at, Cell& self) const {
    at.send(self.pool, Add{self.value});
  }
};
using Entries = kaon::gpu::DeviceEntries<Add, Spill>;
KAON_DEVICE_ENTRIES(Entries);
