// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "kaon/gpu/queues/adapter_engine.hpp"
#include "kaon/gpu/stream.hpp"

namespace kaon::gpu {

/// The emulated adapter whose requests the PE's thread gives to streams, in its turns. Queues lie in pinned memory,
/// because a host reads no device memory. The copy engine moves data between devices, and a kernel of one thread behind
/// it stores flags and executes atomics.
class ProgressEngine final : public AdapterEngine {
 public:
  explicit ProgressEngine(Device& device) : device_(device) {}
  ProgressEngine(const ProgressEngine&) = delete;
  ProgressEngine& operator=(const ProgressEngine&) = delete;

  // --- AdapterEngine
  const char* name() const override { return "emulated adapter (PE's progress)"; }
  StreamMemory::Kind queue_memory() const override { return StreamMemory::Kind::pinned; }
  void set_segment(SegmentNumber number, const AdapterSegment& segment) override;
  bool has_taken_changes() const override;
  void open(std::uint32_t slot, const AdapterQueue& queue) override;
  void refuse(std::uint32_t slot) override;
  void close(std::uint32_t slot) override { slots_[slot].is_closing = true; }
  bool is_closed(std::uint32_t slot) const override { return !slots_[slot].is_open; }
  std::optional<RequestFault> take_fault(std::uint32_t slot) override;
  bool progress() override;
  bool is_busy() const override;
  void stop() override {}
  bool has_ended() const override { return !is_busy(); }

 private:
  static constexpr std::uint32_t kBatch = 64;     // requests behind which there is one event
  static constexpr std::size_t kMostPending = 4;  // batches of a queue
  /// Requests that a stream has been given. Their completion entry is written behind the event.
  struct Batch {
    StreamWatcher::OwnedEvent event;
    std::uint32_t reached = 0;
    RequestStatus status = RequestStatus::ok;
  };
  struct Slot {
    AdapterQueue queue;
    QueueProgress progress;   // of completions
    std::uint32_t given = 0;  // requests, to the stream
    std::optional<Stream> stream;
    std::deque<Batch> batches;
    std::optional<RequestFault> fault;
    RequestStatus status = RequestStatus::ok;  // the first error
    bool is_open = false, is_closing = false, is_partner_gone = false;
  };
  bool take_requests(Slot& slot);
  RequestStatus give_batch(Slot& slot, std::uint32_t up_to);
  RequestStatus give(Slot& slot, const WorkRequest& request);
  bool end_batches(Slot& slot);

  Device& device_;
  std::vector<AdapterSegment> segments_;
  std::deque<Slot> slots_;
};

}  // namespace kaon::gpu
