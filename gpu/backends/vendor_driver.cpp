// SPDX-License-Identifier: Apache-2.0
#define KAON_VENDOR_API 1
#include "kaon/gpu/backends/vendor_driver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "kaon/gpu/backends/api.hpp"
#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/backends/kernel_record.hpp"
#include "kaon/gpu/backends/vendor_call.hpp"

namespace kaon::gpu {
namespace {

vendor::Stream stream_of(NativeStream stream) { return static_cast<vendor::Stream>(stream); }
vendor::Event event_of(NativeEvent event) { return static_cast<vendor::Event>(event); }

/// nullptr when there is no memory left.
void* allocated(vendor::Status status, void* memory, std::size_t bytes, std::string_view kind) {
  if (status == vendor::kNoMemory) {
    vendor::forget_last_error();
    return nullptr;
  }
  check(status, "allocate {} bytes of {} memory", bytes, kind);
  return memory;
}

Location location_of(const vendor::PointerFacts& facts) {
  using Kind = vendor::PointerFacts::Kind;
  switch (facts.kind) {
    case Kind::unregistered:
      return Location::host;
    case Kind::pinned:
      return Location::pinned;
    case Kind::managed:
      return Location::managed;
    case Kind::device:
      break;
  }
  return facts.is_mappable ? Location::device : Location::device_pool;
}

}  // namespace

Backend VendorDriver::backend() const { return kVendor; }

DeviceDescription VendorDriver::describe(int device) const {
  vendor::Properties properties{};
  check(vendor::get_properties(&properties, device), "describe device {}", device);
  return {
      .name = properties.name, .memory_bytes = properties.totalGlobalMem, .processors = properties.multiProcessorCount};
}

// Launches on an older device would fail, one by one.
std::string VendorDriver::why_unusable(int device) const {
  constexpr int kLeast = KAON_LEAST_CAPABILITY;
  vendor::Properties properties{};
  check(vendor::get_properties(&properties, device), "describe device {}", device);
  const int capability = properties.major * 10 + properties.minor;
  if (capability < kLeast)
    return fmt::format(
        "device {} ({}) has compute capability {}.{}, and the kernels of this build need {}.{} or more: configure with "
        "-D KAON_CUDA_ARCHITECTURE=sm_{}, or hide the device",
        device, properties.name, properties.major, properties.minor, kLeast / 10, kLeast % 10, capability);
  if (vendor::is_prohibited(device))
    return fmt::format("device {} ({}) is set to be used by nobody (compute mode)", device, properties.name);
  return {};
}

// A kernel that is loaded at its first launch may wait for one that never ends: ours are loaded now.
void VendorDriver::use(int device) {
  const BesideCaptures beside;
  check(vendor::set_device(device), "use device {} of {}", device, devices_);
  check(vendor::free(nullptr), "start device {}", device);  // what it needs is made by a first call
  for (const KernelRecord* kernel = KernelRecord::first(); kernel != nullptr; kernel = kernel->next())
    check(vendor::load(kernel->function()), "load the program's kernels onto device {}", device);
}

void VendorDriver::make_current(int device) {
  thread_local struct {
    const void* context;
    int device;
  } last{};  // behind the call before, for this thread
  if (last.context != nullptr && last.device == device && vendor::current_context() == last.context) return;
  int current = 0;
  if (vendor::get_device(&current) != vendor::kSuccess || current != device)
    check(vendor::set_device(device), "use device {}", device);
  last = {vendor::current_context(), device};
}

bool VendorDriver::enable_peer(int device, int peer) {
  if (device == peer) return true;
  int can = 0;
  check(vendor::can_reach_peer(&can, device, peer), "ask if device {} reaches {}", device, peer);
  if (can == 0) return false;
  const BesideCaptures beside;
  const OnDevice on(device);
  const vendor::Status status = vendor::enable_peer(peer);
  if (status == vendor::kPeerIsEnabled) {
    vendor::forget_last_error();
  } else {
    check(status, "let device {} reach the memory of {}", device, peer);
  }
  return true;
}

void* VendorDriver::allocate(int device, std::size_t bytes) {
  const BesideCaptures beside;
  const OnDevice on(device);
  void* memory = nullptr;
  const vendor::Status status = vendor::allocate(&memory, std::max<std::size_t>(bytes, 1));
  return allocated(status, memory, bytes, "device");
}

// What cannot be given back is left to the end of the process: owners free in destructors.
void VendorDriver::free(int, void* memory) noexcept {
  const BesideCaptures beside;
  static_cast<void>(vendor::free(memory));
}

void* VendorDriver::allocate_pinned(std::size_t bytes) {
  const BesideCaptures beside;
  void* memory = nullptr;
  const vendor::Status status = vendor::allocate_pinned(&memory, std::max<std::size_t>(bytes, 1));
  return allocated(status, memory, bytes, "pinned");
}

void VendorDriver::free_pinned(void* memory) noexcept {
  const BesideCaptures beside;
  static_cast<void>(vendor::free_pinned(memory));
}

bool VendorDriver::pin(void* memory, std::size_t bytes) {
  const BesideCaptures beside;
  const vendor::Status status = vendor::pin(memory, bytes);
  if (status == vendor::kNoMemory) {
    vendor::forget_last_error();
    return false;
  }
  check(status, "pin {} bytes of shared memory", bytes);
  return true;
}

void VendorDriver::unpin(void* memory) noexcept {
  const BesideCaptures beside;
  static_cast<void>(vendor::unpin(memory));
}

Classification VendorDriver::classify(const void* pointer) {
  vendor::PointerFacts facts;
  check_vendor(vendor::inspect(pointer, facts), "ask where a pointer's memory lies");
  const Location location = location_of(facts);
  if (location == Location::host) return {};
  return {location, location == Location::pinned ? -1 : facts.device, facts.base, facts.bytes};
}

std::uint64_t VendorDriver::allocation_at(const void* pointer) { return vendor::allocation_at(pointer); }

// What cannot be exported (a device in a container without it, say) is not an error: the host stages.
std::vector<std::byte> VendorDriver::export_memory(int device, void* memory) {
  const BesideCaptures beside;
  const OnDevice on(device);
  vendor::ExportedMemory exported{};
  if (vendor::export_memory(&exported, memory) != vendor::kSuccess) {
    vendor::forget_last_error();
    return {};
  }
  std::vector<std::byte> bytes(sizeof exported);
  std::memcpy(bytes.data(), &exported, sizeof exported);
  return bytes;
}

std::optional<ImportedMemory> VendorDriver::import_memory(int device, std::span<const std::byte> bytes) {
  vendor::ExportedMemory exported{};
  if (bytes.size() != sizeof exported) return {};
  std::memcpy(&exported, bytes.data(), sizeof exported);
  const BesideCaptures beside;
  const OnDevice on(device);
  void* memory = nullptr;
  const vendor::Status status = vendor::import_memory(&memory, exported);
  if (status == vendor::kSuccess) return ImportedMemory{device, memory};
  if (vendor::is_sticky(status)) check(status, "map memory of another process into device {}", device);
  vendor::forget_last_error();
  return {};
}

void VendorDriver::close_imported(ImportedMemory memory) noexcept {
  const BesideCaptures beside;
  const OnDevice on(memory.device, std::nothrow);
  static_cast<void>(vendor::close_imported(memory.address));
}

std::string VendorDriver::identity(int device) const {
  constexpr int kMostBytes = 64;
  std::string name(kMostBytes, '\0');
  check(vendor::bus_name(name.data(), kMostBytes, device), "ask for the place of device {}", device);
  name.resize(name.find('\0'));
  return name;
}

NativeStream VendorDriver::make_stream(int device, StreamPriority priority) {
  const BesideCaptures beside;
  const OnDevice on(device);
  vendor::Stream stream{};
  check(vendor::make_stream(&stream, priority == StreamPriority::high), "make a stream on device {}", device);
  return stream;
}

void VendorDriver::destroy(NativeStream stream) noexcept {
  const BesideCaptures beside;
  static_cast<void>(vendor::destroy_stream(stream_of(stream)));
}

void VendorDriver::copy(void* to, const void* from, std::size_t bytes, NativeStream stream) {
  if (bytes == 0) return;
  check(vendor::copy(to, from, bytes, stream_of(stream)), "copy {} bytes", bytes);
}

void VendorDriver::fill(void* to, int byte, std::size_t bytes, NativeStream stream) {
  if (bytes == 0) return;
  check(vendor::fill(to, byte, bytes, stream_of(stream)), "fill {} bytes", bytes);
}

void VendorDriver::call(void (*function)(void*), void* argument, NativeStream stream) {
  check_vendor(vendor::call(stream_of(stream), function, argument), "put a call of the host into a stream");
}

bool VendorDriver::is_capturing(NativeStream stream) {
  bool is = false;
  check_vendor(vendor::is_capturing(stream_of(stream), &is), "ask if a stream captures a graph");
  return is;
}

NativeEvent VendorDriver::make_event(int device) {
  const BesideCaptures beside;
  const OnDevice on(device);
  vendor::Event event{};
  check_vendor(vendor::make_event(&event), "make an event");
  return event;
}

NativeEvent VendorDriver::make_timed_event(int device) {
  const BesideCaptures beside;
  const OnDevice on(device);
  vendor::Event event{};
  check_vendor(vendor::make_timed_event(&event), "make an event that notes its time");
  return event;
}

double VendorDriver::seconds_between(NativeEvent begin, NativeEvent end) {
  const BesideCaptures beside;
  float milliseconds = 0;
  check_vendor(vendor::elapsed(&milliseconds, event_of(begin), event_of(end)), "ask for the time between two events");
  return 1e-3 * static_cast<double>(milliseconds);
}

void VendorDriver::destroy_event(NativeEvent event) noexcept {
  const BesideCaptures beside;
  static_cast<void>(vendor::destroy_event(event_of(event)));
}

void VendorDriver::record(NativeEvent event, NativeStream stream) {
  check_vendor(vendor::record(event_of(event), stream_of(stream)), "record an event (is it of the stream's device?)");
}

bool VendorDriver::is_reached(NativeEvent event) {
  const BesideCaptures beside;
  const vendor::Status status = vendor::query(event_of(event));
  if (status == vendor::kNotReady) return false;
  check_vendor(status, "ask if an event is reached");
  return true;
}

void VendorDriver::wait(NativeStream stream, NativeEvent event) {
  check_vendor(vendor::wait(stream_of(stream), event_of(event)), "let a stream wait for an event");
}

bool VendorDriver::can_write_words(int device) { return vendor::can_write_words(device); }

void VendorDriver::write_word(std::uint64_t* word, std::uint64_t value, NativeStream stream) {
  check_vendor(vendor::write_word(stream_of(stream), word, value), "let a stream write a word");
}

void VendorDriver::write_flag(std::uint32_t* word, std::uint32_t value, NativeStream stream) {
  check_vendor(vendor::write_flag(stream_of(stream), word, value), "let a stream raise a flag");
}

void VendorDriver::wait_flag(const std::uint32_t* word, std::uint32_t k, NativeStream stream) {
  check_vendor(vendor::wait_flag(stream_of(stream), word, k), "let a stream wait for a flag");
}

}  // namespace kaon::gpu
