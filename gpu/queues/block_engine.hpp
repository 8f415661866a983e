// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "kaon/gpu/queues/adapter.kernels.hpp"
#include "kaon/gpu/queues/adapter_engine.hpp"
#include "kaon/gpu/stream.hpp"

namespace kaon::gpu {

/// Sizes of an adapter.
struct AdapterSizes {
  std::uint32_t queues = 64;     // that are open at a time
  std::uint32_t segments = 256;  // that are ever added
  std::uint32_t blocks = 1;      // of the resident kernel
  std::uint32_t threads = 256;   // of a block
};

/// The emulated adapter whose requests resident blocks of the device execute. Queues lie in device memory. The host
/// tells the blocks of queues and segments by words in pinned memory.
class BlockEngine final : public AdapterEngine {
 public:
  BlockEngine(Device& device, const AdapterSizes& sizes);
  BlockEngine(const BlockEngine&) = delete;
  BlockEngine& operator=(const BlockEngine&) = delete;

  // --- AdapterEngine
  const char* name() const override { return "emulated adapter (resident blocks)"; }
  StreamMemory::Kind queue_memory() const override { return StreamMemory::Kind::device; }
  void set_segment(SegmentNumber number, const AdapterSegment& segment) override;
  bool has_taken_changes() const override;
  void open(std::uint32_t slot, const AdapterQueue& queue) override;
  void refuse(std::uint32_t slot) override;
  void close(std::uint32_t slot) override;
  bool is_closed(std::uint32_t slot) const override;
  std::optional<RequestFault> take_fault(std::uint32_t slot) override;
  bool progress() override;
  bool is_busy() const override { return is_stopped_ && !has_ended_; }
  void stop() override;
  bool has_ended() const override { return has_ended_; }

 private:
  void publish();

  Device& device_;
  const AdapterSizes sizes_;
  Stream stream_;  // of the kernel
  Pinned<BlockControl> control_;
  Pinned<BlockSlot> slots_;
  Pinned<BlockReport> reports_;
  Pinned<AdapterSegment> shared_segments_;
  Pinned<std::uint32_t> seen_;
  Buffer<BlockQueue> queues_;
  Buffer<AdapterSegment> segments_;
  std::vector<bool> has_told_fault_;  // by slot
  StreamWatcher::OwnedEvent behind_launch_;
  Position launched_;
  std::uint32_t version_ = 0;
  bool is_stopped_ = false;
  bool has_ended_ = false;
};

}  // namespace kaon::gpu
