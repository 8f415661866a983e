// SPDX-License-Identifier: Apache-2.0
// The memory of payloads: where it is taken from, who may use it when, and how it comes back.
#include <algorithm>
#include <string>
#include <utility>

#include "kaon/gpu/device/deferred_release.hpp"
#include "kaon/gpu/device/device.hpp"
#include "kaon/gpu/device/platform.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {
namespace {

constexpr std::size_t kPoisonedBytes = std::size_t{64} << 10;  // of a block, at its beginning: enough to be noticed

[[noreturn]] void refuse(const Landing& landing, const std::string& why) {
  throw UsageError("the landing of " + std::to_string(landing.bytes) + " bytes that a post rule gave is " + why);
}

/// A block of memory that a payload has taken over: it goes back with the place of its last use.
class BlockMemory final : public PayloadOwner {
  void release(PayloadRecord& record) noexcept override {
    Device& here = this_device();
    here.tell_when_free(record);
    here.return_block(*static_cast<Block*>(record.keeper), position_of(record));
  }
};

/// A landing in a buffer of this PE's, which must stay while a payload is being received into it.
class BufferLanding final : public PayloadOwner {
  void release(PayloadRecord& record) noexcept override { --static_cast<Block*>(record.keeper)->receives; }
  void arrived(PayloadRecord& record) noexcept override {
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

BlockMemory block_memory;
BufferLanding buffer_landing;
RegionLanding region_landing;

}  // namespace

Device::Place Device::check_place(const Landing& landing) {
  Region* region = regions_.find(landing.data);
  if (region == nullptr || !region->holds(landing.data, landing.bytes)) {
    const bool is_host = driver_.classify(landing.data).location == Location::host;
    refuse(landing, is_host ? "no memory of a device: give a gpu::Buffer, or pooled()"
                            : "memory that Kaon does not know: make a gpu::Registration of it first");
  }
  if (region->device != number_)
    refuse(landing, "on device " + std::to_string(region->device) + ", its PE uses device " + std::to_string(number_) +
                        ": give memory of that device, or pooled()");
  if (region->arena == nullptr) return {*region, nullptr};
  Block* block = memory_.find_own(*region, landing.data, landing.bytes);
  if (block == nullptr && !Memory::is_live_elsewhere(*region, landing.data, memory_))
    refuse(landing, "no longer a buffer: it was freed, or is longer than its buffer");
  return {*region, block};
}

void Device::require_host(const Landing& landing) {
  if (landing.bytes != 0 && regions_.find(landing.data) != nullptr)
    refuse(landing, "in the memory of a device, for a payload in host memory: give memory of the host, or pooled()");
}

void Device::land(PayloadRecord& record, const Landing& landing) {
  record.is_counted = true;  // by its sender
  if (landing.mode == Landing::Mode::into) {
    const Place place = check_place(landing);
    record.data = static_cast<std::byte*>(landing.data);
    record.region = &place.region;
    record.stream = landing.stream;
    record.position = landing.position;
    hold_landing(record, place);
    return;
  }
  give_block(record, take_memory(record.bytes, nullptr));
}

// Memory that a payload is being received into must stay: a buffer of this PE's, or registered memory.
void Device::hold_landing(PayloadRecord& record, const Place& place) {
  if (place.region.arena == nullptr) {
    place.region.uses.fetch_add(1, std::memory_order_relaxed);
    record.keeper = &place.region;
    record.owner = &region_landing;
  } else if (place.block != nullptr) {
    ++place.block->receives;
    record.keeper = place.block;
    record.owner = &buffer_landing;
  }
}

void Device::has_arrived(PayloadRecord& record) {
  if (record.owner != nullptr) record.owner->arrived(record);
  record.stream = nullptr;
  choose_route(record);  // the next one may be another than it came by
  const auto* region = static_cast<const Region*>(record.region);
  if (region != nullptr && region->arena == nullptr)
    record.region = nullptr;  // a registration may end before the payload
}

// Registered memory is looked for anew: the registration may have ended.
Region* Device::region_of(const PayloadRecord& record) {
  return record.region != nullptr ? static_cast<Region*>(record.region) : regions_.find(record.data);
}

void Device::choose_route(PayloadRecord& record) {
  const Region* region = region_of(record);
  const bool can_go_directly = region == nullptr || region->staged_because.empty();
  record.route = platform_.stages_all() || !can_go_directly ? Route::staged : Route::direct;
}

void Device::give_block(PayloadRecord& record, Block& block) {
  record.data = block.data;
  record.keeper = &block;
  record.owner = &block_memory;
  record.region = &block.region();
  record.stream = block.free_at.stream;
  record.position = block.free_at.count;
}

void Device::settle(PayloadRecord& record) {
  if (!std::exchange(record.is_viewed, false)) return;
  auto* stream = static_cast<StreamState*>(record.stream);
  if (stream->owner != this) {  // how far that is, only its PE knows
    StreamState& own = order_stream();
    wait_for_all(own, *stream);
    record.stream = stream = &own;
  }
  record.position = stream->all_given();
}

void Device::settle_last(PayloadRecord& record) noexcept {
  try {
    settle(record);
  } catch (...) {
    pe_.fail(std::current_exception());
  }
}

void Device::tell_when_free(PayloadRecord& record) noexcept {
  settle_last(record);
  if (record.signal != nullptr)
    DeferredRelease::start(*this, last_use(record), nullptr, std::exchange(record.signal, nullptr));
}

// All that was given to a stream of this device may use the memory.
Position Device::last_use(const PayloadRecord& record) const {
  Position last = position_of(record);
  if (last.stream != nullptr && last.stream->owner == this) last.count = last.stream->all_given();
  return last;
}

void Device::return_block(Block& block, Position last) noexcept {
  if (block.receives > 0 && !pe_.is_stopped())
    return pe_.fail(std::make_exception_ptr(
        UsageError("a buffer of " + std::to_string(block.bytes) +
                   " bytes was freed while a payload was being received into it: keep a landing's buffer until the "
                   "entry runs")));
  try {
    last = end_uses(block, last);
  } catch (...) {  // a fault of the device
    pe_.fail(std::current_exception());
  }
  Arena& arena = block.arena();
  if (&arena == &memory_.arena()) return memory_.give_back(block, last);
  if (&arena == &pinned_.arena()) return pinned_.give_back(block, last);
  block.holder.store(nullptr, std::memory_order_relaxed);
  block.free_at = last;
  arena.give_back(block);  // of another device
}

// Where all that may use the block is done.
Position Device::end_uses(Block& block, Position last) {
  if (const Position landed = std::exchange(block.landed_at, {}); landed.stream != nullptr) {
    wait(*landed.stream, last);
    last = landed;
  }
  if (last.stream == nullptr) return last;
  if (last.stream->owner == this) last = poison(block, *last.stream);
  if (last.stream->is_foreign) {  // which may end before anybody asks for the memory
    StreamState& own = order_stream();
    wait(own, last);
    last = {&own, own.submitted};
  }
  if (&block.arena() == &pinned_.arena() && !pe_.is_stopped())
    completions_.mark(last);  // it is used again when that is known
  return last;
}

// Behind all that was given to the stream, which may use the block.
Position Device::poison(Block& block, StreamState& stream) {
  if (!platform_.are_real()) {
    driver_.poison(block.data, std::min(block.bytes, kPoisonedBytes), stream.native);
    ++stream.submitted;
  }
  return {&stream, stream.all_given()};
}

void Device::copy(PayloadRecord& record, const Landing& landing) {
  const Place place = check_place(landing);
  settle(record);
  if (const Region* from = regions_.find(record.data); from != nullptr) reach(from->device);
  auto& stream = *static_cast<StreamState*>(landing.stream);
  wait(stream, position_of(record));
  driver_.copy(landing.data, record.data, record.bytes, stream.native);
  record.stream = &stream;
  record.position = ++stream.submitted;
  record.region = &place.region;
  if (place.block != nullptr) place.block->landed_at = position_of(record);
  choose_route(record);
  record.is_counted = true;
  pe_.exchange().transfers().add(Path::device_copy, record.bytes);
}

void Device::bring_here(PayloadRecord& record, StreamState& stream) {
  const Region* region = regions_.find(record.data);
  const bool is_elsewhere = region != nullptr && region->device != number_;
  if (!std::exchange(record.is_counted, true))
    pe_.exchange().transfers().add(is_elsewhere ? Path::device_copy : Path::handed_over, record.bytes);
  if (!is_elsewhere) return;
  reach(region->device);
  Block& block = take_memory(record.bytes, &stream);
  wait(stream, block.free_at);
  wait(stream, position_of(record));
  driver_.copy(block.data, record.data, record.bytes, stream.native);
  record.stream = &stream;
  record.position = ++stream.submitted;
  if (PayloadOwner* owner = std::exchange(record.owner, nullptr)) owner->release(record);
  give_block(record, block);
  record.stream = &stream;
  record.position = stream.submitted;
  choose_route(record);
}

}  // namespace kaon::gpu
