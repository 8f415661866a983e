// expect: no member named
// SPDX-License-Identifier: Apache-2.0
#include "tests/refused/device_cells.hpp"

// There is no at.call(): whoever waited for another entry would hold his worker.
struct Ask {
  using Object = Cell;
  template <class At>
  KAON_DEVICE void operator()(At& at, Cell& self) const {
    self.value = at.call(self.next, Add{1});
  }
};
using Entries = kaon::gpu::DeviceEntries<Add, Ask>;
KAON_DEVICE_ENTRIES(Entries);
