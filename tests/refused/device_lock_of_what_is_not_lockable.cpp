// expect: lock(object): objects of this class say static constexpr bool kIsLockable = true
// SPDX-License-Identifier: Apache-2.0
#include "tests/refused/device_cells.hpp"

void use(Scheduler<>& cells, CellObject cell) { (void)cells.lock(cell); }
