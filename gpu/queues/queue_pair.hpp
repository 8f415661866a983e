// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kaon/gpu/queues/adapter.hpp"

namespace kaon::gpu {

/// A queue pair as its partner finds it: its number, the segments that the partner's requests may use, and the word
/// that tells of its end. Any message carries it.
struct QueueOffer {
  struct Segment {
    std::string name;
    SegmentRange range;
    template <class Archive>
    void pup(Archive& archive) {
      archive(name, range);
    }
  };
  std::uint32_t pe = 0;
  std::uint32_t number = 0;
  std::vector<Segment> segments;
  SharedFlagPlace closed;
  template <class Archive>
  void pup(Archive& archive) {
    archive(pe, number, segments, closed);
  }
};

/// The memory that a queue pair takes, in bytes.
struct QueueFootprint {
  std::size_t device_bytes = 0;
  std::size_t pinned_bytes = 0;
};

/// Counts of a queue pair, from its first request on.
struct QueueCounts {
  std::uint32_t posted = 0;
  std::uint32_t rings = 0;      // of the doorbell
  std::uint32_t completed = 0;  // as far as kernels have polled
  std::uint32_t entries = 0;    // of the completion queue, that kernels have polled
};

/// A send queue and a completion queue in memory of a device, by which kernels let an adapter read and write memory of
/// a partner on the same host: make one on each of two PEs, exchange their offers in messages, connect, and pass
/// queue() to kernels. Requests of one queue pair are executed in the order of their slots.
///
/// Memory that requests use stays until they are done, and memory of the partner until both have closed. Kernels that
/// post have ended before the queue pair does. What is posted then is executed. Belongs to a PE, and is used by that
/// PE's thread.
class QueuePair {
 public:
  /// Work that `stream` is given next may post. Throws UsageError for a depth that is no power of two, and when the
  /// adapter has no room.
  QueuePair(std::shared_ptr<Adapter> adapter, Stream& stream, const QueuePairOptions& options = {});
  QueuePair(QueuePair&& other) noexcept;
  QueuePair& operator=(QueuePair&& other) noexcept;
  /// Closes it without a wait: only when no request is under way may memory that requests use end behind it.
  ~QueuePair();

  /// The offer for the partner. `segments`: numbers of this adapter's table that are memory of this device.
  QueueOffer offer(const std::vector<SegmentNumber>& segments) const;
  /// Adds the partner's segments to the adapter's table. Throws GpuError for memory that the device does not reach,
  /// as that of another host, and UsageError when it is connected.
  void connect(const QueueOffer& partner);
  /// The number, here, of the i-th segment of the partner's offer.
  SegmentNumber remote(std::size_t i) const;
  /// Stores the request into all slots, so that kernels need to store only some fields (StoredFields). Before kernels
  /// post; work that `stream` is given next may post.
  void prefill(const WorkRequest& request, Stream& stream);
  /// For kernels. Throws UsageError before connect().
  const SendQueue& queue() const;

  /// The first request that had an error, by the names of its segments, and the reason; empty: none had.
  const std::string& error() const { return state().error(); }
  QueueFootprint footprint() const { return {state().device_bytes(), state().pinned_bytes()}; }
  /// The counts of kernels that have ended.
  Task<QueueCounts> counts();
  /// Rings for what was posted and waits until all of it is done. The queue pair is of no use from then on.
  Task<> close();

 private:
  QueueState& state() const;

  std::shared_ptr<Adapter> adapter_;
  std::shared_ptr<QueueState> state_;  // nullptr: closed or moved
  std::vector<SegmentNumber> remote_;
};

}  // namespace kaon::gpu
