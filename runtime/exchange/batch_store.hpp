// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "kaon/runtime/messages/wire.hpp"
#include "kaon/runtime/ports/machine.hpp"

namespace kaon::runtime {

class Outbox;
struct PayloadSend;

/// Messages to one PE on one lane, packed one behind the other.
struct Batch : Work {
  Outbox* outbox = nullptr;
  std::uint32_t used = sizeof(BatchHeader);
  Lane lane = Lane::data;
  std::size_t payload_bytes = 0;
  std::vector<PayloadSend*> payloads;
  std::array<std::byte, kBatchBytes> bytes;

  bool is_empty() const { return used == sizeof(BatchHeader); }
  /// Bytes of memory that the batch takes while it waits.
  std::size_t weight() const { return sizeof(Batch) + payload_bytes; }
};

/// The batches of one PE: those of peers to whom nothing is being sent have none.
class BatchStore {
 public:
  Batch& take() {
    if (free_.empty()) return *new Batch;
    Batch* batch = free_.back().release();
    free_.pop_back();
    return *batch;
  }
  void give_back(Batch& batch) {
    std::unique_ptr<Batch> owned(&batch);
    batch.used = sizeof(BatchHeader);
    batch.payload_bytes = 0;
    if (free_.size() < kMostKept) free_.push_back(std::move(owned));
  }

 private:
  static constexpr std::size_t kMostKept = 64;  // half a megabyte: a PE at full speed never allocates
  std::vector<std::unique_ptr<Batch>> free_;
};

}  // namespace kaon::runtime
