// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/gpu/floors/report.hpp"

namespace kaon::bench {

// Copies between the first two devices by the copy engine, 8 bytes to 256 MiB: us of one copy that is waited for, GB/s
// of many in a row one way, and of both ways together.
void measure_peer_copies(const Report& report);

}  // namespace kaon::bench
