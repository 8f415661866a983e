// SPDX-License-Identifier: Apache-2.0
#include "gpu/device.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "gpu/deferred_release.hpp"
#include "gpu/direct.hpp"
#include "gpu/platform.hpp"
#include "gpu/shared_receive.hpp"
#include "gpu/shared_send.hpp"
#include "runtime/error.hpp"
#include "runtime/pe.hpp"

namespace kaon::gpu {
namespace {

constexpr std::size_t kPoisonedBytes = std::size_t{64} << 10;  // of a block, at its beginning: enough to be noticed

}  // namespace

Device& this_device() {
  Pe* pe = this_pe_or_null();
  if (pe == nullptr) throw UsageError("streams and buffers of devices belong to PEs: this thread is none");
  return static_cast<Device&>(pe->accelerator());
}

Device::Device(Platform& platform, Pe& pe, int number)
    : platform_(platform),
      driver_(platform.driver()),
      pe_(pe),
      number_(number),
      memory_(driver_, platform.regions(), Memory::Kind::device, number, !platform.are_real()),
      pinned_(driver_, platform.regions(), Memory::Kind::pinned, number, !platform.are_real()),
      completions_(driver_, *this, number, pe.waker()),
      staging_(*this) {}

Device::~Device() {
  drain();
  for (StreamState& stream : streams_) driver_.destroy(stream.native);
}

// What still runs must not find its memory gone. Bounded: a kernel that never ends must not keep the process.
void Device::drain() noexcept {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds{60};
  try {
    const NativeEvent event = driver_.make_event(number_);
    for (StreamState& stream : streams_) drain(stream.native, event, limit);
    drain(completions_.wakes(), event, limit);  // last: it waits for the others, then calls the PE's waker
    driver_.destroy_event(event);
  } catch (...) {  // a fault of the device: reported where it was met first
  }
}

void Device::drain(NativeStream stream, NativeEvent event, std::chrono::steady_clock::time_point limit) {
  driver_.record(event, stream);
  while (!driver_.is_reached(event) && std::chrono::steady_clock::now() < limit)
    if (!driver_.advance()) std::this_thread::yield();
}

// --- streams

StreamState& Device::take_stream() {
  if (free_streams_.empty()) {
    StreamState& stream = streams_.emplace_back();
    stream.owner = this;
    stream.native = driver_.make_stream(number_);
    stream.device = number_;
    return stream;
  }
  StreamState* stream = free_streams_.back();
  free_streams_.pop_back();
  return *stream;
}

StreamState& Device::shared_stream(std::size_t number) {
  while (shared_.size() <= number) shared_.push_back(&take_stream());
  return *shared_[number];
}

StreamState& Device::staging_stream(StagedTransfer::Way way) {
  StreamState*& stream = way == StagedTransfer::Way::out ? staging_out_ : staging_in_;
  if (stream == nullptr) stream = &take_stream();
  return *stream;
}

void Device::wait(StreamState& stream, Position position) {
  if (position.stream == &stream || position.is_known_reached()) return;
  driver_.wait(stream.native, completions_.event_at(position));
  ++stream.submitted;
}

// All that `other` was given by now.
void Device::wait_for_all(StreamState& stream, StreamState& other) {
  const NativeEvent event = completions_.take_event(other);
  driver_.record(event, other.native);
  driver_.wait(stream.native, event);
  ++stream.submitted;
  completions_.give_back(event, other);
}

// --- memory of payloads

void Device::check_place(const Landing& landing) {
  const Region* region = platform_.regions().find(landing.data);
  const std::string what = "the landing of " + std::to_string(landing.bytes) + " bytes that a post rule gave ";
  if (region == nullptr || !region->holds(landing.data, landing.bytes)) {
    const bool is_host = driver_.classify(landing.data).location == Location::host;
    throw UsageError(what + (is_host ? "is no memory of a device: give a gpu::Buffer, or pooled()"
                                     : "is memory that Kaon does not know: make a gpu::Registration of it first"));
  }
  if (region->device != number_)
    throw UsageError(what + "is on device " + std::to_string(region->device) + ", its PE uses device " +
                     std::to_string(number_) + ": give memory of that device, or pooled()");
  if (region->memory == &memory_ && !memory_.is_live(landing.data, landing.bytes))
    throw UsageError(what + "is no longer a buffer: it was freed, or is longer than its buffer");
}

void Device::land(PayloadRecord& record, const Landing& landing) {
  record.is_counted = true;  // by its sender
  if (landing.mode == Landing::Mode::into) {
    check_place(landing);
    record.data = static_cast<std::byte*>(landing.data);
    record.region = platform_.regions().find(landing.data);
    record.stream = landing.stream;
    record.position = landing.position;
    return;
  }
  give_block(record, memory_.take(record.bytes, nullptr));
}

void Device::choose_route(PayloadRecord& record) const {
  const auto* region = static_cast<const Region*>(record.region);
  const bool can_go_directly = region == nullptr || region->staged_because.empty();
  record.route = platform_.stages_all() || !can_go_directly ? Route::staged : Route::direct;
}

void Device::give_block(PayloadRecord& record, Block& block) {
  record.data = block.data;
  record.keeper = &block;
  record.release_keeper = &release_block;
  record.region = block.region;
  record.stream = block.free_at.stream;
  record.position = block.free_at.count;
}

void Device::settle(PayloadRecord& record) {
  if (!std::exchange(record.is_viewed, false)) return;
  auto* stream = static_cast<StreamState*>(record.stream);
  if (stream->owner != this) {  // how far that is, only its PE knows
    StreamState& own = shared_stream(0);
    wait_for_all(own, *stream);
    record.stream = stream = &own;
  }
  record.position = stream->submitted;
}

void Device::release_block(PayloadRecord& record) noexcept {
  Device& here = this_device();
  here.settle(record);
  if (record.signal != nullptr)
    DeferredRelease::start(here, here.last_use(record), nullptr, std::exchange(record.signal, nullptr));
  here.return_block(*static_cast<Block*>(record.keeper), position_of(record));
}

// All that was given to a stream of this device may use the memory.
Position Device::last_use(const PayloadRecord& record) const {
  Position last = position_of(record);
  if (last.stream != nullptr && last.stream->owner == this) last.count = last.stream->submitted;
  return last;
}

void Device::return_block(Block& block, Position last) noexcept {
  if (last.stream != nullptr && last.stream->owner == this) {  // all that was given to the stream may use it
    if (!platform_.are_real()) {
      driver_.poison(block.data, std::min(block.bytes, kPoisonedBytes), last.stream->native);
      ++last.stream->submitted;
    }
    last.count = last.stream->submitted;
  }
  block.home->give_back(block, last, block.home == &memory_ || block.home == &pinned_);
}

void Device::copy(PayloadRecord& record, const Landing& landing) {
  check_place(landing);
  settle(record);
  auto& stream = *static_cast<StreamState*>(landing.stream);
  wait(stream, position_of(record));
  driver_.copy(landing.data, record.data, record.bytes, stream.native);
  record.stream = &stream;
  record.position = ++stream.submitted;
  record.region = platform_.regions().find(landing.data);
  choose_route(record);
  record.is_counted = true;
  pe_.transfers().add(Path::device_copy, record.bytes);
}

void Device::bring_here(PayloadRecord& record, StreamState& stream) {
  const Region* region = platform_.regions().find(record.data);
  const bool is_elsewhere = region != nullptr && region->device != number_;
  if (!std::exchange(record.is_counted, true))
    pe_.transfers().add(is_elsewhere ? Path::device_copy : Path::handed_over, record.bytes);
  if (!is_elsewhere) return;
  Block& block = memory_.take(record.bytes, &stream);
  wait(stream, block.free_at);
  wait(stream, position_of(record));
  driver_.copy(block.data, record.data, record.bytes, stream.native);
  record.stream = &stream;
  record.position = ++stream.submitted;
  if (record.keeper != nullptr) record.release_keeper(record);
  give_block(record, block);
  record.stream = &stream;
  record.position = stream.submitted;
}

// --- payloads on their way

PayloadMemory Device::network_memory(const PayloadRecord& record) const {
  if (!platform_.are_real()) return {record.data, record.bytes, MemoryKind::host, nullptr};
  const auto* region = static_cast<const Region*>(record.region);
  const bool is_mapped = region != nullptr && region->staged_because.empty();
  return {record.data, record.bytes, MemoryKind::device, is_mapped ? record.region : nullptr};
}

void Device::prepare(PayloadRecord& record) {
  settle(record);
  completions_.mark(position_of(record));
}

bool Device::send(PeId to, std::uint32_t counter, PayloadRecord& record, Transfer& done) {
  if (record.route == Route::direct)
    return DirectTransfer::start(*this, DirectTransfer::Way::out, to, counter, record, done);
  explain_staging(record);
  if (record.bytes == 0) return true;  // nothing travels
  if (platform_.stages_in_shared_memory())
    SharedSend::start(*this, to, counter, record, done);
  else
    StagedTransfer::start(*this, StagedTransfer::Way::out, to, counter, record, done);
  return false;
}

bool Device::receive(PeId from, std::uint32_t counter, PayloadRecord& record, Transfer& done) {
  if (record.route == Route::direct)
    return DirectTransfer::start(*this, DirectTransfer::Way::in, from, counter, record, done);
  if (record.bytes == 0) return true;
  if (platform_.stages_in_shared_memory())
    SharedReceive::start(*this, from, counter, record, done);
  else
    StagedTransfer::start(*this, StagedTransfer::Way::in, from, counter, record, done);
  return false;
}

void Device::explain_staging(const PayloadRecord& record) {
  auto* region = static_cast<Region*>(record.region);
  if (region == nullptr || region->staged_because.empty())
    return pe_.transfers().add_fallback("--transport staged was asked for", 1, record.bytes);
  pe_.transfers().add_fallback(region->staged_because, 1, record.bytes);
  if (!region->has_warned.exchange(true)) platform_.warn_of_staging(*region);
}

bool Device::progress() {
  if (error_ != nullptr) [[unlikely]]
    std::rethrow_exception(std::exchange(error_, nullptr));
  const bool has_staged = staging_.look();
  return completions_.look() || has_staged;
}

bool Device::arm() {
  if (!staging_.is_waiting()) return completions_.arm();
  std::this_thread::yield();  // whom we wait for may need this core
  return false;
}

}  // namespace kaon::gpu
