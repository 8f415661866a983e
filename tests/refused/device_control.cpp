// compiles
// SPDX-License-Identifier: Apache-2.0
#include "tests/refused/device_cells.hpp"

void use(Scheduler<>& cells, CellObject cell, PoolObject pool) {
  cells.send(cell, Add{1});
  cells.send(pool, Drain{1});
  (void)cells.call(cell, Add{1});
}
using Entries = kaon::gpu::DeviceEntries<Add, Drain>;
KAON_DEVICE_ENTRIES(Entries);
