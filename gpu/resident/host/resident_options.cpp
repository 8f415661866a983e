// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/resident/host/resident_options.hpp"

#include <fmt/format.h>

#include <bit>

#include "kaon/gpu/resident/wire/resident_view.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::gpu {

void ResidentOptions::check() const {
  if (workers + warp_blocks == 0 || threads == 0)
    throw UsageError("a resident scheduler needs at least one worker of one thread");
  for (const double time_s : {idle_us / 1e6, patience_s, flag_patience_s, entry_patience_s})
    if (!(time_s >= 0 && time_s < 1e6))
      throw UsageError(
          "idle_us, patience_s, flag_patience_s and entry_patience_s of a resident scheduler are times, up to 1e6 s");
  if (all_workers() > task::kMostWorkers)
    throw UsageError(
        fmt::format("a resident scheduler has at most {} workers, not {}", task::kMostWorkers, all_workers()));
  if (threads % kThreadsOfAWarp != 0)
    throw UsageError(
        fmt::format("workers of a resident scheduler have a multiple of {} threads, not {}", kThreadsOfAWarp, threads));
  if (held == 0)  // then at.is_crowded() never warns
    throw UsageError("a worker of a resident scheduler holds at least one task that finds a ring full");
  if (!std::has_single_bit(ring))
    throw UsageError(fmt::format("the ring of a resident scheduler has a power of two places, not {}", ring));
}

}  // namespace kaon::gpu
