// SPDX-License-Identifier: Apache-2.0
#define KAON_VENDOR_API 1
#include "kaon/gpu/backends/vendor_driver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "kaon/gpu/backends/api.hpp"
#include "kaon/gpu/backends/error.hpp"

namespace kaon::gpu {
namespace {

vendor::Stream stream_of(NativeStream stream) { return static_cast<vendor::Stream>(stream); }
vendor::Event event_of(NativeEvent event) { return static_cast<vendor::Event>(event); }

/// The calling thread's device for the time of one call.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    check_vendor(vendor::get_device(&before_), "ask for the current device");
    if (device == before_) return;
    check_vendor(vendor::set_device(device), fmt::format("use device {}", device));
    is_changed_ = true;
  }
  ~OnDevice() {
    if (is_changed_) static_cast<void>(vendor::set_device(before_));
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = 0;
  bool is_changed_ = false;
};

/// nullptr when there is no memory left.
void* allocated(vendor::Status status, void* memory, std::size_t bytes, std::string_view kind) {
  if (status == vendor::kNoMemory) {
    vendor::forget_last_error();
    return nullptr;
  }
  check_vendor(status, fmt::format("allocate {} bytes of {} memory", bytes, kind));
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
  check_vendor(vendor::get_properties(&properties, device), fmt::format("describe device {}", device));
  return {
      .name = properties.name, .memory_bytes = properties.totalGlobalMem, .processors = properties.multiProcessorCount};
}

void VendorDriver::use(int device) {
  check_vendor(vendor::set_device(device), fmt::format("use device {} of {}", device, devices_));
  check_vendor(vendor::free(nullptr), fmt::format("start device {}", device));  // what it needs is made by a first call
}

bool VendorDriver::enable_peer(int device, int peer) {
  if (device == peer) return true;
  int can = 0;
  check_vendor(vendor::can_reach_peer(&can, device, peer), fmt::format("ask if device {} reaches {}", device, peer));
  if (can == 0) return false;
  const OnDevice on(device);
  const vendor::Status status = vendor::enable_peer(peer);
  if (status == vendor::kPeerIsEnabled) {
    vendor::forget_last_error();
  } else {
    check_vendor(status, fmt::format("let device {} reach the memory of {}", device, peer));
  }
  return true;
}

void* VendorDriver::allocate(int device, std::size_t bytes) {
  const OnDevice on(device);
  void* memory = nullptr;
  const vendor::Status status = vendor::allocate(&memory, std::max<std::size_t>(bytes, 1));
  return allocated(status, memory, bytes, "device");
}

// What cannot be given back is left to the end of the process: owners free in destructors.
void VendorDriver::free(int, void* memory) noexcept { static_cast<void>(vendor::free(memory)); }

void* VendorDriver::allocate_pinned(std::size_t bytes) {
  void* memory = nullptr;
  const vendor::Status status = vendor::allocate_pinned(&memory, std::max<std::size_t>(bytes, 1));
  return allocated(status, memory, bytes, "pinned");
}

void VendorDriver::free_pinned(void* memory) noexcept { static_cast<void>(vendor::free_pinned(memory)); }

bool VendorDriver::pin(void* memory, std::size_t bytes) {
  const vendor::Status status = vendor::pin(memory, bytes);
  if (status == vendor::kNoMemory) {
    vendor::forget_last_error();
    return false;
  }
  check_vendor(status, fmt::format("pin {} bytes of shared memory", bytes));
  return true;
}

void VendorDriver::unpin(void* memory) noexcept { static_cast<void>(vendor::unpin(memory)); }

Classification VendorDriver::classify(const void* pointer) {
  vendor::PointerFacts facts;
  check_vendor(vendor::inspect(pointer, facts), "ask where a pointer's memory lies");
  const Location location = location_of(facts);
  if (location == Location::host) return {};
  return {location, location == Location::pinned ? -1 : facts.device, facts.base, facts.bytes};
}

NativeStream VendorDriver::make_stream(int device) {
  const OnDevice on(device);
  vendor::Stream stream{};
  check_vendor(vendor::make_stream(&stream), fmt::format("make a stream on device {}", device));
  return stream;
}

void VendorDriver::destroy(NativeStream stream) noexcept {
  static_cast<void>(vendor::destroy_stream(stream_of(stream)));
}

void VendorDriver::copy(void* to, const void* from, std::size_t bytes, NativeStream stream) {
  if (bytes == 0) return;
  check_vendor(vendor::copy(to, from, bytes, stream_of(stream)), fmt::format("copy {} bytes", bytes));
}

void VendorDriver::fill(void* to, int byte, std::size_t bytes, NativeStream stream) {
  if (bytes == 0) return;
  check_vendor(vendor::fill(to, byte, bytes, stream_of(stream)), fmt::format("fill {} bytes", bytes));
}

void VendorDriver::call(void (*function)(void*), void* argument, NativeStream stream) {
  check_vendor(vendor::call(stream_of(stream), function, argument), "put a call of the host into a stream");
}

NativeEvent VendorDriver::make_event(int device) {
  const OnDevice on(device);
  vendor::Event event{};
  check_vendor(vendor::make_event(&event), "make an event");
  return event;
}

void VendorDriver::destroy_event(NativeEvent event) noexcept {
  static_cast<void>(vendor::destroy_event(event_of(event)));
}

void VendorDriver::record(NativeEvent event, NativeStream stream) {
  check_vendor(vendor::record(event_of(event), stream_of(stream)), "record an event (is it of the stream's device?)");
}

bool VendorDriver::is_reached(NativeEvent event) {
  const vendor::Status status = vendor::query(event_of(event));
  if (status == vendor::kNotReady) return false;
  check_vendor(status, "ask if an event is reached");
  return true;
}

void VendorDriver::wait(NativeStream stream, NativeEvent event) {
  check_vendor(vendor::wait(stream_of(stream), event_of(event)), "let a stream wait for an event");
}

namespace {

/// Empty when all is well.
std::string why_not(vendor::Status status, int devices) {
  if (status == vendor::kSuccess && devices > 0) return {};
  vendor::forget_last_error();
  int version = 0;
  if (vendor::driver_version(&version) != vendor::kSuccess || version == 0) {
    return fmt::format("no driver of {} is installed on this machine", vendor::kLibrary);
  }
  if (status == vendor::kDriverTooOld) {
    return fmt::format("the driver ({}) is too old for this build's {}: install a newer one", version,
                       vendor::kLibrary);
  }
  if (status == vendor::kNoDevice || status == vendor::kSuccess) {
    return fmt::format("{} finds no device; one may be hidden by the environment", vendor::kLibrary);
  }
  return fmt::format("{} cannot be used: {} ({})", vendor::kLibrary, vendor::name_of(status), vendor::text_of(status));
}

/// Empty when every device can run the kernels of this build; else launches would fail, one by one.
std::string why_too_old(int devices) {
  constexpr int kLeast = KAON_LEAST_CAPABILITY;
  for (int device = 0; device < devices; ++device) {
    vendor::Properties properties{};
    check_vendor(vendor::get_properties(&properties, device), fmt::format("describe device {}", device));
    const int capability = properties.major * 10 + properties.minor;
    if (capability >= kLeast) continue;
    return fmt::format(
        "device {} ({}) has compute capability {}.{}, and the kernels of this build need {}.{} or more: "
        "configure with -D KAON_CUDA_ARCHITECTURE=sm_{}, or hide the device",
        device, properties.name, properties.major, properties.minor, kLeast / 10, kLeast % 10, capability);
  }
  return {};
}

}  // namespace

std::unique_ptr<Driver> make_vendor_driver(std::string& why) {
  // A kernel that is loaded at its first launch may wait for one that never ends.
  ::setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  int devices = 0;
  const vendor::Status status = vendor::count_devices(&devices);
  why = why_not(status, devices);
  if (why.empty()) why = why_too_old(devices);
  return why.empty() ? std::make_unique<VendorDriver>(devices) : nullptr;
}

}  // namespace kaon::gpu
