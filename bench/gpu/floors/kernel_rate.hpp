// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/gpu/floors/report.hpp"

namespace kaon::bench {

// GB/s read and written by a copy within the first device: what any sweep is compared with.
double copy_rate(const Report& report);

// The sweep over cubes of 1024^3 to 128^3 points on the first device: ms, GB/s at 16 bytes a point, and the ratio to
// the copy. `is_tuning`: also the best of the variants, and all that are close to it.
void measure_sweeps(const Report& report, double copy_gb_per_s, bool is_tuning);

// Whether device and processor agree in every bit, on shapes of all kinds. Says where they do not.
bool check_digits(const Report& report);

}  // namespace kaon::bench
