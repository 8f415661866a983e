// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/gpu/floors/report.hpp"

namespace kaon::bench {

// Copies between the first visible device and page-locked memory, each way, as staging through the host needs them.
void measure_host_copies(const Report& report);

}  // namespace kaon::bench
