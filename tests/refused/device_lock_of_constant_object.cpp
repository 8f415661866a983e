// expect: lock(object): one that is kIsConstant does not change
// SPDX-License-Identifier: Apache-2.0
#include "tests/refused/device_cells.hpp"

struct Table {
  static constexpr bool kIsConstant = true, kIsLockable = true;
  double value;
};

void use(Scheduler<>& cells, kaon::gpu::DeviceObject<Table> table) { (void)cells.lock(table); }
