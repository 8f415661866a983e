// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

#include "kaon/gpu/buffer.hpp"
#include "kaon/gpu/queues/adapter_queue.hpp"
#include "kaon/gpu/queues/request_places.hpp"

namespace kaon::gpu {

/// A request that was not executed, and its reason.
struct RequestFault {
  WorkRequest request;
  std::uint32_t index = 0;
  RequestStatus status = RequestStatus::ok;
};

/// The interface of an adapter: it reads requests from rings, executes them and writes completion entries. Kaon has two
/// that are emulated; a network adapter that reads device memory would be the third. All calls are of the PE's thread
/// and return at once, and none is on the way of a request.
class AdapterEngine {
 public:
  virtual ~AdapterEngine() = default;
  /// For errors and benchmarks. It says that the adapter is emulated.
  virtual const char* name() const = 0;
  /// The kind of memory in which it reads requests and doorbells, and writes completion entries.
  virtual StreamMemory::Kind queue_memory() const = 0;

  /// Adds the segment with the next number, or ends its use when it is not live.
  virtual void set_segment(SegmentNumber number, const AdapterSegment& segment) = 0;
  /// True when no request uses segments that were ended before.
  virtual bool has_taken_changes() const = 0;

  /// Serves a queue from now on, by a slot that is free.
  virtual void open(std::uint32_t slot, const AdapterQueue& queue) = 0;
  /// Requests from now on have the status partner_gone.
  virtual void refuse(std::uint32_t slot) = 0;
  /// Lets the queue end when all is done that the doorbell has told.
  virtual void close(std::uint32_t slot) = 0;
  virtual bool is_closed(std::uint32_t slot) const = 0;
  /// The first error of a queue, once.
  virtual std::optional<RequestFault> take_fault(std::uint32_t slot) = 0;

  /// In the PE's turns. True: something has happened.
  virtual bool progress() = 0;
  /// True while progress() must be called for requests to go on.
  virtual bool is_busy() const = 0;
  /// Ends it; all queues are closed.
  virtual void stop() = 0;
  virtual bool has_ended() const = 0;
};

}  // namespace kaon::gpu
