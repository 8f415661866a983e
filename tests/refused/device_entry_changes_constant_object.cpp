// expect: the call operator of an entry of a device is const and takes (At& at, Object& self)
// SPDX-License-Identifier: Apache-2.0
#include "tests/refused/device_cells.hpp"

struct Table {
  static constexpr bool kIsConstant = true;
  double value;
};
struct Halve {
  using Object = Table;
  template <class At>
  KAON_DEVICE void operator()(At&, Table& self) const {
    self.value /= 2;
  }
};
using Entries = kaon::gpu::DeviceEntries<Halve>;
KAON_DEVICE_ENTRIES(Entries);
