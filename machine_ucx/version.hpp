// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kaon {

// The library found at run time may not be the one of the build. Throws UsageError when it is older than 1.20.
void check_ucx_version(unsigned major, unsigned minor);

}  // namespace kaon
