// SPDX-License-Identifier: Apache-2.0
// STREAM triad, a = b + s * c: the memory's speed in the same run as what is compared with it.
#pragma once

namespace kaon::bench {

// The best of the repetitions, 24 bytes an element as STREAM counts. Arrays should be far larger than
// the caches.
double stream_triad_gb_per_s(int megabytes, int repetitions, int threads);

}  // namespace kaon::bench
