// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/backends/host_driver.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/backends/host_queue.hpp"

namespace kaon::gpu {
namespace {

HostStream& stream_of(NativeStream stream) { return *static_cast<HostStream*>(stream); }
HostEvent& event_of(NativeEvent event) { return *static_cast<HostEvent*>(event); }

constexpr int kAllDevices = -1;
std::atomic<int> drivers{0};

}  // namespace

HostDriver::HostDriver(const HostSettings& settings)
    : settings_(settings), number_(drivers.fetch_add(1)), memory_(settings), engine_(settings) {}

void HostDriver::check_device(int device) const {
  if (device >= 0 && device < settings_.devices) return;
  throw GpuError(fmt::format("cannot use device {}: the emulation has {} (KAON_HOST_DEVICE=devices=N sets how many)",
                             device, settings_.devices));
}

DeviceDescription HostDriver::describe(int device) const {
  check_device(device);
  return {.name = "emulated device",
          .memory_bytes = settings_.memory_bytes,
          .processors = std::max(1, static_cast<int>(std::thread::hardware_concurrency()))};
}

void HostDriver::use(int device) { check_device(device); }

bool HostDriver::enable_peer(int device, int peer) {
  check_device(device);
  check_device(peer);
  return device == peer || settings_.has_peer_access;
}

void* HostDriver::allocate(int device, std::size_t bytes) {
  check_device(device);
  return memory_.allocate(device, std::max<std::size_t>(bytes, 1));
}

// What is still in use stays mapped; the engine has reported that.
bool HostDriver::is_finished(int device) noexcept { return settings_.free_waits_s <= 0 || engine_.finish(device); }

void HostDriver::free(int device, void* memory) noexcept {
  if (is_finished(device)) memory_.free(memory);
}

void* HostDriver::allocate_pinned(std::size_t bytes) {
  return memory_.allocate_pinned(std::max<std::size_t>(bytes, 1));
}

void HostDriver::free_pinned(void* memory) noexcept {
  if (is_finished(kAllDevices)) memory_.free(memory);
}

void HostDriver::unpin(void*) noexcept { is_finished(kAllDevices); }

Classification HostDriver::classify(const void* pointer) { return memory_.classify(pointer); }
std::uint64_t HostDriver::allocation_at(const void* pointer) { return memory_.allocation_at(pointer); }

std::vector<std::byte> HostDriver::export_memory(int device, void* memory) {
  check_device(device);
  const std::optional<SharedPlace> place = memory_.place_of(device, memory);
  if (!place) return {};
  std::vector<std::byte> exported(sizeof *place);
  std::memcpy(exported.data(), &*place, sizeof *place);
  return exported;
}

std::optional<ImportedMemory> HostDriver::import_memory(int device, std::span<const std::byte> exported) {
  check_device(device);
  SharedPlace place;
  if (exported.size() != sizeof place || !settings_.has_peer_access) return {};
  std::memcpy(&place, exported.data(), sizeof place);
  void* const memory = imports_.open(place);
  if (memory == nullptr) return {};
  return ImportedMemory{device, memory};
}

void HostDriver::close_imported(ImportedMemory memory) noexcept {
  if (is_finished(memory.device)) imports_.close(memory.address);
}

// Every process has devices of its own, and one may play several processes.
std::string HostDriver::identity(int device) const {
  return fmt::format("emulated, {}.{}.{}", getpid(), number_, device);
}

void HostDriver::poison(void* memory, std::size_t bytes, NativeStream stream) {
  if (settings_.poison) fill(memory, kPoison, bytes, stream);
}

// Which stream goes on first is left to threads or to the seed: nothing may depend on it.
NativeStream HostDriver::make_stream(int device, StreamPriority) {
  check_device(device);
  HostStream& stream = engine_.make_stream();
  stream.device = device;
  return &stream;
}

void HostDriver::destroy(NativeStream stream) noexcept { engine_.close(stream_of(stream)); }

void HostDriver::copy(void* to, const void* from, std::size_t bytes, NativeStream stream) {
  // memmove: a copy within one allocation may overlap, and an empty one may come with null pointers.
  const auto work = [=] {
    if (bytes > 0) std::memmove(to, from, bytes);
  };
  engine_.enqueue(stream_of(stream), work, true);
}

void HostDriver::fill(void* to, int byte, std::size_t bytes, NativeStream stream) {
  const auto work = [=] {
    if (bytes > 0) std::memset(to, byte, bytes);
  };
  engine_.enqueue(stream_of(stream), work, true);
}

void HostDriver::call(void (*function)(void*), void* argument, NativeStream stream) {
  engine_.enqueue(
      stream_of(stream), [=] { function(argument); }, false);
}

bool HostDriver::is_capturing(NativeStream stream) { return stream != nullptr && stream_of(stream).is_capturing; }

NativeEvent HostDriver::make_event(int device) {
  check_device(device);
  auto* event = new HostEvent;
  event->device = device;
  return event;
}

void HostDriver::destroy_event(NativeEvent event) noexcept { delete &event_of(event); }

double HostDriver::seconds_between(NativeEvent begin, NativeEvent end) {
  return engine_.seconds_between(event_of(begin), event_of(end));
}

void HostDriver::record(NativeEvent event, NativeStream stream) {
  if (event_of(event).device != stream_of(stream).device)
    throw GpuError("an event is recorded on a stream of another device than it was made for");
  engine_.record(event_of(event), stream_of(stream));
}

bool HostDriver::is_reached(NativeEvent event) { return engine_.is_reached(event_of(event)); }

void HostDriver::wait(NativeStream stream, NativeEvent event) { engine_.wait(stream_of(stream), event_of(event)); }

void HostDriver::write_word(std::uint64_t* word, std::uint64_t value, NativeStream stream) {
  engine_.write_word(stream_of(stream), word, value);
}

void HostDriver::write_flag(std::uint32_t* word, std::uint32_t value, NativeStream stream) {
  engine_.write_word(stream_of(stream), word, value);
}

void HostDriver::wait_flag(const std::uint32_t* word, std::uint32_t k, NativeStream stream) {
  engine_.wait_flag(stream_of(stream), word, k);
}

bool HostDriver::advance() { return engine_.advance(); }

std::unique_ptr<Driver> make_host_driver(const HostSettings& settings) {
  return std::make_unique<HostDriver>(settings);
}

}  // namespace kaon::gpu
