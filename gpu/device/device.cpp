// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/device.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <string>
#include <thread>
#include <utility>

#include "kaon/gpu/device/deferred_release.hpp"
#include "kaon/gpu/engines/direct.hpp"
#include "kaon/gpu/device/platform.hpp"
#include "kaon/gpu/engines/shared_receive.hpp"
#include "kaon/gpu/engines/shared_send.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/log.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::gpu {
namespace {

constexpr const char* kNotMapped =
    "UCX maps no device memory between these processes; is UCX_TLS set, or are they in different containers?";

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
      card_(platform.card(number)),
      number_(number),
      regions_(platform.regions()),
      memory_(card_.memory()),
      pinned_(platform.pinned()),
      completions_(driver_, *this, number, pe),
      staging_(*this) {}

Device::~Device() {
  drain();
  for (StreamState* stream : streams_) {
    stream->marks.clear(driver_);
    if (!stream->is_foreign) driver_.destroy(stream->native);
  }
}

// What still runs must not find its memory gone. A kernel that never ends would keep the process for ever: the vendor's
// library, which waits for it before it gives memory back.
void Device::drain() noexcept {
  try {
    const std::unique_ptr<Drain> drain = begin_drain();
    while (!drain->is_done()) std::this_thread::yield();
  } catch (const DeviceHangs& error) {
    std::fprintf(stderr, "kaon: %s\n", error.what());
    std::fflush(nullptr);
    _exit(exit_code(error));
  } catch (...) {  // a fault of the device: reported where it was met first
  }
}

std::unique_ptr<Drain> Device::begin_drain() {
  auto drain = std::make_unique<Drain>(driver_, number_, pe_.process().options().device_timeout_s);
  for (std::size_t i = 0; i < streams_.size(); ++i)  // by index: order_stream() may add one
    if (StreamState* stream = streams_[i]; stream->is_foreign)
      wait(order_stream(), {stream, stream->submitted});  // itself it may be gone
  for (const StreamState* stream : streams_)
    if (!stream->is_foreign) drain->add(stream->native);
  for (NativeStream wake : completions_.wakes()) drain->add(wake);  // last: they wait for the others
  return drain;
}

// Whether nothing of the run is left, when it has ended.
bool Device::is_over() const { return !pe_.is_stopped() || (drain_ != nullptr && drain_->has_ended()); }

// --- streams

StreamState& Device::take_stream(StreamPriority priority) {
  std::vector<StreamState*>& free = free_streams_[static_cast<std::size_t>(priority)];
  if (!free.empty()) {
    StreamState* stream = free.back();
    free.pop_back();
    return *stream;
  }
  StreamState& stream = *streams_.emplace_back(&card_.add_stream());
  stream.owner = this;
  stream.native = driver_.make_stream(number_, priority);
  stream.device = number_;
  stream.priority = priority;
  return stream;
}

StreamState& Device::adopt_stream(NativeStream native) {
  const auto known = std::find_if(streams_.begin(), streams_.end(),
                                  [&](const StreamState* each) { return each->is_foreign && each->native == native; });
  if (known != streams_.end()) return **known;
  StreamState& stream = *streams_.emplace_back(&card_.add_stream());
  stream.owner = this;
  stream.native = native;
  stream.device = number_;
  stream.is_foreign = true;
  return stream;
}

// Of a stream that is not ours an event is recorded now: later it may be gone.
void Device::give_back(StreamState& stream) {
  if (!stream.is_foreign) return free_streams_[static_cast<std::size_t>(stream.priority)].push_back(&stream);
  completions_.mark({&stream, stream.all_given()});
}

void Device::reach(int peer) {
  const auto place = static_cast<std::size_t>(peer);
  if (peer == number_ || (place < peers_.size() && peers_[place])) return;
  if (peers_.size() <= place) peers_.resize(place + 1);
  peers_[place] = true;
  driver_.enable_peer(number_, peer);
}

StreamState& Device::shared_stream(std::size_t number) {
  while (shared_.size() <= number) shared_.push_back(&take_stream());
  return *shared_[number];
}

StreamState& Device::order_stream() {
  if (order_stream_ == nullptr) order_stream_ = &take_stream();
  return *order_stream_;
}

StreamState& Device::staging_stream(StagedTransfer::Way way) {
  StreamState*& stream = way == StagedTransfer::Way::out ? staging_out_ : staging_in_;
  if (stream == nullptr) stream = &take_stream();
  return *stream;
}

// --- memory

Block& Device::take_memory(std::size_t bytes, const StreamState* user) {
  Block* block = memory_.take(bytes, user);
  if (block == nullptr) {
    wait_for(memory_.arena());
    block = memory_.take(bytes, user);
  }
  if (block == nullptr) memory_.throw_out_of_memory(bytes);
  return *block;
}

Block& Device::take_pinned(std::size_t bytes) {
  Block* block = pinned_.take_idle(bytes);
  if (block == nullptr) {
    wait_for(pinned_.arena());
    block = pinned_.take_idle(bytes);
  }
  if (block == nullptr) pinned_.throw_out_of_memory(bytes);
  return *block;
}

// What streams still use of free memory becomes free, and whole. Nothing else here waits for the device, and no stream
// waits for the host.
void Device::wait_for(const Arena& arena) {
  const std::vector<Position> awaited = arena.awaited();
  Drain drain(driver_, number_, std::numeric_limits<double>::infinity());
  for (const Position& position : awaited) drain.add(position.stream->native, position.stream->device);
  while (!drain.is_done()) std::this_thread::yield();
  for (const Position& position : awaited) position.stream->note_reached(position.count);
}

// Memory that nobody has needed for a while goes back to the driver, which may wait for the device: only while nothing
// is awaited from that.
void Device::trim() {
  constexpr std::chrono::seconds kPeriod{1};
  const auto now = std::chrono::steady_clock::now();
  if (now - trimmed_at_ < kPeriod || is_awaited()) return;
  trimmed_at_ = now;
  for (Memory* memory : {&memory_, &pinned_}) {
    memory->flush();
    memory->arena().trim_unneeded();
  }
}

// --- order among streams

void Device::wait(StreamState& stream, Position position) {
  if (position.stream == &stream || position.is_known_reached()) return;
  const NativeEvent marked = position.stream->owner == this ? nullptr : position.stream->marks.at(position.count);
  driver_.wait(stream.native, marked != nullptr ? marked : completions_.event_at(position));
  ++stream.submitted;
}

void Device::mark_for_others(StreamState& stream) {
  if (pe_.process().local_pes() > 1) stream.marks.add(driver_, stream.device, stream.native, stream.submitted);
}

// All that `other` was given by now.
void Device::wait_for_all(StreamState& stream, StreamState& other) {
  driver_.wait(stream.native, completions_.record(other).get());
  ++stream.submitted;
}

// --- payloads on their way

PayloadMemory Device::network_memory(const PayloadRecord& record) {
  Region* region = region_of(record);
  if (region != nullptr && region->arena != nullptr) region->arena->note_export(*region, record.bytes);
  if (!platform_.are_real()) return {record.data, record.bytes, MemoryKind::host, nullptr};
  const bool is_mapped = region != nullptr && region->staged_because.empty();
  return {record.data, record.bytes, MemoryKind::device, is_mapped ? region : nullptr};
}

void Device::prepare(PayloadRecord& record) {
  settle(record);
  completions_.mark(position_of(record));
}

bool Device::send(PeId to, std::uint32_t counter, PayloadRecord& record, Work& done) {
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

bool Device::receive(PeId from, std::uint32_t counter, PayloadRecord& record, Work& done) {
  if (record.route == Route::direct)
    return DirectTransfer::start(*this, DirectTransfer::Way::in, from, counter, record, done);
  if (record.bytes == 0) return true;
  if (platform_.stages_in_shared_memory())
    SharedReceive::start(*this, from, counter, record, done);
  else
    StagedTransfer::start(*this, StagedTransfer::Way::in, from, counter, record, done);
  return false;
}

void Device::has_left(PeId to, std::size_t bytes, double seconds) {
  if (reaches_.size() <= to) reaches_.resize(to + 1, Reach::unknown);
  if (reaches_[to] == Reach::unknown) {
    const bool is_mapped =
        !platform_.are_real() || pe_.exchange().port() == nullptr || pe_.exchange().port()->maps_device_memory(to);
    reaches_[to] = is_mapped ? Reach::mapped : Reach::through_host;
    if (!is_mapped) log_warn("device memory goes to PE " + std::to_string(to) + " through the host: " + kNotMapped);
  }
  if (reaches_[to] == Reach::mapped) return pe_.exchange().transfers().add(Path::direct, bytes, seconds);
  pe_.exchange().transfers().add(Path::network, bytes, seconds);
  pe_.exchange().transfers().add_fallback(kNotMapped, 1, bytes);
}

void Device::explain_staging(const PayloadRecord& record) {
  Region* region = region_of(record);
  if (region == nullptr || region->staged_because.empty())
    return pe_.exchange().transfers().add_fallback("--transport staged was asked for", 1, record.bytes);
  pe_.exchange().transfers().add_fallback(region->staged_because, 1, record.bytes);
  if (!region->has_warned.exchange(true)) platform_.warn_of_staging(*region);
}

bool Device::progress() {
  driver_.make_current(number_);  // libraries of the program may have changed it
  const bool has_staged = staging_.look();
  const bool has_moved = completions_.look() || has_staged;
  if (pe_.is_stopped()) [[unlikely]] {
    if (drain_ == nullptr) drain_ = begin_drain();
    drain_->is_done();
  }
  return has_moved;
}

bool Device::arm() {
  trim();
  if (!staging_.is_waiting()) return completions_.arm();
  std::this_thread::yield();  // whom we wait for may need this core
  return false;
}

}  // namespace kaon::gpu
