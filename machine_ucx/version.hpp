// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kaon::machine_ucx {

// The library found at run time may not be the one of the build. Throws UsageError when it is older than 1.20. In
// 1.21 two processes that move device memory run out of it.
void check_ucx_version(unsigned major, unsigned minor, bool moves_device_memory = false);

}  // namespace kaon::machine_ucx
