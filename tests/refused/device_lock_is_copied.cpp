// expect: deleted
// SPDX-License-Identifier: Apache-2.0
#include "tests/refused/device_cells.hpp"

kaon::gpu::ObjectLock use(const kaon::gpu::ObjectLock& lock) { return lock; }
