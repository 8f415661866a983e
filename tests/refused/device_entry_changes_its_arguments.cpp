// expect: the call operator of an entry of a device is const and takes (At& at, Object& self)
// SPDX-License-Identifier: Apache-2.0
#include "tests/refused/device_cells.hpp"

struct Count {
  using Object = Cell;
  std::uint32_t times;
  template <class At>
  KAON_DEVICE void operator()(At&, Cell&) {
    ++times;
  }
};
using Entries = kaon::gpu::DeviceEntries<Count>;
KAON_DEVICE_ENTRIES(Entries);
