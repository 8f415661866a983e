// expect: at.when(): an entry that calls it says static constexpr bool kAwaitsFlags = true
// SPDX-License-Identifier: Apache-2.0
#include "tests/refused/device_cells.hpp"

struct Wait {
  using Object = Cell;
  kaon::gpu::AwaitedFlag flag;
  template <class At>
  KAON_DEVICE void operator()(At& at, Cell&) const {
    at.when(flag, 1, Wait{flag});
  }
};
using Entries = kaon::gpu::DeviceEntries<Drain, Wait>;
KAON_DEVICE_ENTRIES(Entries);
