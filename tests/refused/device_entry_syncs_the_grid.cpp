// expect: an entry of a device cannot wait for all blocks of its kernel
// SPDX-License-Identifier: Apache-2.0
#include "tests/refused/device_cells.hpp"

// The other blocks run entries of their own, so that it would never end.
struct Meet {
  using Object = Cell;
  template <class At>
  KAON_DEVICE void operator()(At& at, Cell&) const {
    at.sync_grid();
  }
};
using Entries = kaon::gpu::DeviceEntries<Add, Meet>;
KAON_DEVICE_ENTRIES(Entries);
