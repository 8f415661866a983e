// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/device.hpp"

#include <chrono>
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
      number_(number),
      processors_(driver_.describe(number).processors),
      memory_(driver_, platform.regions(), Memory::Kind::device, number, !platform.are_real()),
      pinned_(driver_, platform.regions(), Memory::Kind::pinned, number, !platform.are_real()),
      completions_(driver_, *this, number, pe),
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
    for (NativeStream wake : completions_.wakes()) drain(wake, event, limit);  // last: they wait for the others
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
  auto* region = static_cast<Region*>(record.region);
  if (region == nullptr || region->staged_because.empty())
    return pe_.exchange().transfers().add_fallback("--transport staged was asked for", 1, record.bytes);
  pe_.exchange().transfers().add_fallback(region->staged_because, 1, record.bytes);
  if (!region->has_warned.exchange(true)) platform_.warn_of_staging(*region);
}

bool Device::progress() {
  const bool has_staged = staging_.look();
  return completions_.look() || has_staged;
}

bool Device::arm() {
  if (!staging_.is_waiting()) return completions_.arm();
  std::this_thread::yield();  // whom we wait for may need this core
  return false;
}

}  // namespace kaon::gpu
