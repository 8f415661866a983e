// expect: at.when(): it is an entry of the same object
// SPDX-License-Identifier: Apache-2.0
#include "tests/refused/device_cells.hpp"

struct Wait {
  using Object = Cell;
  kaon::gpu::AwaitedFlag flag;
  template <class At>
  KAON_DEVICE void operator()(At& at, Cell&) const {
    at.when(flag, 1, Drain{1});
  }
};
using Entries = kaon::gpu::DeviceEntries<Drain, Wait>;
KAON_DEVICE_ENTRIES(Entries);
