// expect: send(object, entry): this is an entry of another class of objects
// SPDX-License-Identifier: Apache-2.0
#include "tests/refused/device_cells.hpp"

void use(Scheduler<>& cells, PoolObject pool) { cells.send(pool, Add{1}); }
