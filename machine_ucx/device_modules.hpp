// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/runtime/ports/machine.hpp"

namespace kaon::machine_ucx {

/// Before UCX is started for a run with devices of this vendor. UCX loads its modules once in a process, and those for
/// devices start the drivers of these, which takes 0.3 s: a run without devices does without them, and one after it
/// that has some loads the vendor's here. Whoever sets UCX_MODULES chooses himself. Throws UsageError when the module
/// cannot be loaded.
void choose_device_modules(DeviceVendor vendor);

}  // namespace kaon::machine_ucx
