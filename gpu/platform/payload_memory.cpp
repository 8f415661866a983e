// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/platform/payload_memory.hpp"

#include <utility>

#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::gpu {
namespace {

/// A block of memory that a payload has taken over: it goes back with the place of its last use.
class BlockMemory final : public PayloadOwner {
  void release(PayloadRecord& record) noexcept override {
    DevicePayloads& here = these_payloads();
    here.tell_when_free(record);
    here.device().memory().give_back(*static_cast<Block*>(record.keeper), position_of(record));
  }
};

/// A landing in a buffer of this PE's, which must stay while a payload is being received into it. It may arrive in the
/// order of a stream, behind which the buffer is free then.
class BufferLanding final : public PayloadOwner {
  void release(PayloadRecord& record) noexcept override { --static_cast<Block*>(record.keeper)->receives; }
  void arrived(PayloadRecord& record) noexcept override {
    these_payloads().device().memory().note_landing(*static_cast<Block*>(record.keeper), position_of(record));
    release(record);
    record.owner = nullptr;
  }
};

/// As BufferLanding, in registered memory.
class RegionLanding final : public PayloadOwner {
  void release(PayloadRecord& record) noexcept override {
    static_cast<Region*>(record.keeper)->uses.fetch_sub(1, std::memory_order_acq_rel);
  }
  void arrived(PayloadRecord& record) noexcept override {
    release(record);
    record.owner = nullptr;
  }
};

// Behind the record's last use.
void end_loan(DevicePayloads& here, const PayloadRecord& record) noexcept {
  here.engines().fetched().give_back(record.sender, record.counter, position_of(record));
}

/// The memory of another PE's device, which it keeps until it hears that the payload was read there.
class BorrowedMemory final : public PayloadOwner {
  void release(PayloadRecord& record) noexcept override {
    DevicePayloads& here = these_payloads();
    here.tell_when_free(record);
    end_loan(here, record);
  }
};

/// A block into which memory of another PE's device was copied after it had been used there: what a view of it gave
/// stays good until the payload ends.
class CopiedMemory final : public PayloadOwner {
  void release(PayloadRecord& record) noexcept override {
    DevicePayloads& here = these_payloads();
    here.tell_when_free(record);
    end_loan(here, record);
    here.device().memory().give_back(*static_cast<Block*>(record.keeper), position_of(record));
  }
};

BlockMemory block_memory;
BufferLanding buffer_landing;
RegionLanding region_landing;
BorrowedMemory borrowed_memory;
CopiedMemory copied_memory;

}  // namespace

Block* block_of(const PayloadRecord& record) {
  return record.owner == &block_memory ? static_cast<Block*>(record.keeper) : nullptr;
}

void give_block(PayloadRecord& record, Block& block) {
  record.data = block.data;
  record.keeper = &block;
  record.owner = &block_memory;
  record.region = &block.region();
  record.stream = block.free_at.stream;
  record.position = block.free_at.count;
}

Block& take_block(PayloadRecord& record, Device& device) {
  if (record.owner == &copied_memory)
    end_loan(payloads_of(device), record);
  else if (record.owner != &block_memory)
    throw UsageError("a payload that came with a chare is no memory of a buffer");
  auto& block = *static_cast<Block*>(std::exchange(record.keeper, nullptr));
  record.owner = nullptr;
  block.holder.store(&device.memory().pool(), std::memory_order_relaxed);
  return block;
}

void borrow_memory(PayloadRecord& record, std::byte* memory, PeId from, std::uint32_t notice) {
  record.data = memory;
  record.owner = &borrowed_memory;
  record.region = nullptr;
  record.stream = nullptr;
  record.sender = from;
  record.counter = notice;
}

bool is_borrowed(const PayloadRecord& record) { return record.owner == &borrowed_memory; }

void give_copy(PayloadRecord& record, Block& block) {
  give_block(record, block);
  record.owner = &copied_memory;
}

void hold_block(PayloadRecord& record, Block& block) {
  ++block.receives;
  record.keeper = &block;
  record.owner = &buffer_landing;
}

void hold_region(PayloadRecord& record, Region& region) {
  region.uses.fetch_add(1, std::memory_order_relaxed);
  record.keeper = &region;
  record.owner = &region_landing;
}

}  // namespace kaon::gpu
