// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "kaon/runtime/base/pe_id.hpp"

namespace kaon::runtime {

class Outboxes;
class Scheduler;

/// A batch whose messages have been handed to the run queue.
struct UnpackedBatch {
  PeId sender;
  std::uint32_t credits;      // that it used
  std::int32_t priority = 0;  // of those of its messages that run last
  std::size_t bytes = 0;      // with the payloads and large arguments of its messages
};

/// When a PE gives back the credits of a batch that it has unpacked: at once while it has little to run, else when it
/// has run what the batch brought, and while many of its entries wait for room elsewhere themselves, only by and by. So
/// a slow receiver slows its senders, also those behind a PE that forwards, and holds at most a window of each. Credits
/// are never held for ever: PEs that wait for each other's would not go on.
class Backlog {
 public:
  Backlog(Scheduler& scheduler, Outboxes& outboxes) : scheduler_(scheduler), outboxes_(outboxes) {}

  /// A batch that used credits. Nothing happens when the network is closed.
  void batch_is_unpacked(const UnpackedBatch& batch);

 private:
  class Marker;
  static constexpr std::size_t kLittle = 256;  // pieces of work
  static constexpr std::size_t kLittleBytes = std::size_t{4} << 20;
  static constexpr std::size_t kLightBytes = kLittleBytes / kLittle;  // of a batch whose bytes need not be counted

  Scheduler& scheduler_;
  Outboxes& outboxes_;
  std::size_t ready_bytes_ = 0;  // of batches that have yet to run, but for light ones
};

}  // namespace kaon::runtime
