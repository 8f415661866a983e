// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "kaon/ampi_shim/messages/request.hpp"

namespace kaon::ampi {

class Rank;

// On a strand of the rank, which lets others run meanwhile. Entries may be nullptr or inactive; those are not waited
// for. What has ended is not told of yet: see Request::was_told.

/// Until all have completed.
void wait_for_all(Rank& rank, std::span<Request* const> requests);
/// Until one has completed, if any is active.
void wait_for_any(Rank& rank, std::span<Request* const> requests);
inline void wait_for(Rank& rank, Request& request) {
  if (!request.is_active()) return;
  Request* const one = &request;
  wait_for_all(rank, {&one, 1});
}
/// After a test that found nothing complete: lets others run.
void give_way(Rank& rank);

}  // namespace kaon::ampi
