// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/kernels/quad.hpp"
#include "kaon/gpu/queues/work_request.hpp"

namespace kaon::gpu {

/// A queue pair as its adapter sees it. Positions go around the circle of 32 bits, and so do laps.
///
/// The doorbell is the position behind the last valid request. Kernels store it (release), the adapter reads it
/// (acquire). A completion entry has 16 bytes that are seen whole: the queue's number, the position behind the requests
/// that are done, the status of the last one, and the lap of the ring.
struct AdapterQueue {
  const WorkRequest* requests = nullptr;
  Quad* completions = nullptr;
  const std::uint32_t* doorbell = nullptr;
  std::uint32_t depth = 0;  // of both rings; a power of two
  std::uint32_t number = 0;

  KAON_DEVICE const WorkRequest& request_at(std::uint32_t position) const { return requests[position % depth]; }
  KAON_DEVICE std::uint32_t lap_of(std::uint32_t position) const { return position / depth + 1; }
};

/// The progress of an adapter in one queue. One thread at a time has it.
struct QueueProgress {
  std::uint32_t taken = 0;                   // requests
  std::uint32_t completions = 0;             // entries written
  RequestStatus status = RequestStatus::ok;  // the first error, behind which requests are flushed

  /// The requests before `reached` are done. Their effects were ordered before by a fence.
  template <class Words>
  KAON_DEVICE void complete(const AdapterQueue& queue, std::uint32_t reached, RequestStatus result) {
    Words::put(queue.completions[completions % queue.depth],
               {{queue.number, reached, static_cast<std::uint32_t>(result)}, queue.lap_of(completions)});
    ++completions;
    taken = reached;
  }
};

}  // namespace kaon::gpu
