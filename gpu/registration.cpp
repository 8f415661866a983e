// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/registration.hpp"

#include <exception>
#include <string>
#include <utility>

#include "kaon/gpu/device/deferred_release.hpp"
#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/gpu/platform/platform.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/ports/machine.hpp"

namespace kaon::gpu {
namespace {

std::string reason_to_stage(Location location) {
  switch (location) {
    case Location::device_pool:
      return "it comes from an asynchronous pool or from virtual memory calls, which other processes cannot map; "
             "allocate it with cudaMalloc or gpu::Buffer";
    case Location::managed:
      return "it is managed memory, which other processes cannot map; allocate it with cudaMalloc or gpu::Buffer";
    default:
      return {};
  }
}

void check_range(const Classification& found, const void* memory, std::size_t bytes, int device) {
  const std::string what = "Registration of " + std::to_string(bytes) + " bytes: ";
  if (memory == nullptr) throw UsageError(what + "this is no memory but nullptr; did its allocation fail?");
  if (found.location == Location::host || found.location == Location::pinned)
    throw UsageError(what + "this is memory of the host, not of a device; send it as a host payload");
  if (found.device != device)
    throw UsageError(what + "the memory is on device " + std::to_string(found.device) + ", this PE uses device " +
                     std::to_string(device));
  const auto* end = static_cast<const std::byte*>(found.base) + found.bytes;
  if (found.base != nullptr && static_cast<const std::byte*>(memory) + bytes > end)
    throw UsageError(what + "the allocation ends " +
                     std::to_string(static_cast<const std::byte*>(memory) + bytes - end) + " bytes earlier");
}

/// Registered memory as the source of a payload: it counts its uses.
class RegisteredSource final : public PayloadOwner {
  void release(PayloadRecord& record) noexcept override {
    DevicePayloads& here = these_payloads();
    DeferredRelease::start(here.device(), here.last_use(record), static_cast<Region*>(record.keeper),
                           std::exchange(record.signal, nullptr));
  }
};

RegisteredSource registered_source;

}  // namespace

Registration::Registration(void* memory, std::size_t bytes) : device_(this_device()) {
  const Classification found = device_.driver().classify(memory);
  check_range(found, memory, bytes, device_.number());
  region_ = std::make_shared<Region>();
  region_->base = static_cast<std::byte*>(memory);
  region_->bytes = bytes;
  region_->kind = device_.card().is_emulated() ? MemoryKind::host : MemoryKind::device;
  region_->device = device_.number();
  region_->staged_because = reason_to_stage(found.location);
  device_.card().regions().add(region_);
}

Registration::~Registration() {
  Machine* machine = payloads_of(device_).platform().machine();
  const bool is_used = region_->uses.load(std::memory_order_acquire) > 0;
  if (is_used && std::uncaught_exceptions() == 0)  // else another error is on its way
    device_.pe().fail(std::make_exception_ptr(
        UsageError("a gpu::Registration ended while payloads in its memory were under way: make a Sent(payload) "
                   "before the send and await it first")));
  if (!is_used && machine != nullptr) machine->forget_region(*region_);
  device_.card().regions().remove(*region_);
  if (is_used) device_.card().regions().keep_for_good(std::move(region_));
}

std::byte* Registration::check(std::size_t offset, std::size_t bytes, std::size_t alignment) const {
  if (offset > region_->bytes || bytes > region_->bytes - offset)
    throw UsageError("part(" + std::to_string(offset) + ", ...) of " + std::to_string(bytes) +
                     " bytes is outside the registered " + std::to_string(region_->bytes));
  std::byte* data = region_->base + offset;
  if (reinterpret_cast<std::uintptr_t>(data) % alignment != 0)
    throw UsageError("part(" + std::to_string(offset) + ", ...) is not aligned for its elements");
  return data;
}

void refer_to(Region& region, void* data, PayloadRecord& record) {
  region.uses.fetch_add(1, std::memory_order_relaxed);
  record.data = static_cast<std::byte*>(data);
  record.keeper = &region;
  record.owner = &registered_source;
  record.region = &region;
}

}  // namespace kaon::gpu
