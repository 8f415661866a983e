// SPDX-License-Identifier: Apache-2.0
#pragma once
// Events that note when they were reached, for who measures: CUDA's half. Included by api.hpp alone.
namespace kaon::gpu::vendor {

inline Status make_timed_event(Event* event) { return cudaEventCreate(event); }
inline Status elapsed(float* milliseconds, Event begin, Event end) {
  return cudaEventElapsedTime(milliseconds, begin, end);
}

}  // namespace kaon::gpu::vendor
