// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/backends/host_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "kaon/gpu/backends/host_queue.hpp"

namespace kaon::gpu {
namespace {

constexpr std::align_val_t kAlignment{256};                   // as devices align
constexpr std::size_t kPoisonedBytes = std::size_t{1} << 20;  // at most: slabs have pages that nobody has touched

[[noreturn]] void refuse_free(const void* memory) {
  fmt::print(stderr, "kaon: {} was given back to the emulated device but is no allocation of it, or was freed before\n",
             memory);
  std::abort();
}

}  // namespace

HostMemory::HostMemory(const HostSettings& settings)
    : poison_(settings.poison),
      foreign_(settings.foreign),
      left_(static_cast<std::size_t>(settings.devices), settings.memory_bytes) {}

HostMemory::~HostMemory() {
  for (const auto& [memory, allocation] : live_) give_back(memory, allocation);
}

void* HostMemory::allocate(int device, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  std::size_t& left = left_[static_cast<std::size_t>(device)];
  if (bytes > left) return nullptr;
  void* const memory = keep(file_.take(bytes), {foreign_, device, bytes});
  if (memory != nullptr) left -= bytes;
  return memory;
}

void* HostMemory::allocate_pinned(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  auto* const memory = static_cast<std::byte*>(::operator new(bytes, kAlignment, std::nothrow));
  return keep(memory, {Location::pinned, -1, bytes});
}

void* HostMemory::keep(std::byte* memory, const Allocation& allocation) {
  if (memory == nullptr) return nullptr;
  live_.emplace(memory, allocation).first->second.number = ++allocations_;
  return memory;
}

void HostMemory::free(void* memory) noexcept {
  if (memory == nullptr) return;
  const std::lock_guard lock(mutex_);
  const auto found = live_.find(static_cast<std::byte*>(memory));
  if (found == live_.end()) refuse_free(memory);
  const Allocation allocation = found->second;
  live_.erase(found);
  if (allocation.device >= 0) left_[static_cast<std::size_t>(allocation.device)] += allocation.bytes;
  give_back(static_cast<std::byte*>(memory), allocation);
}

// Pinned memory is poisoned first: what still reads it shows. A device's is unmapped, and what still uses it faults.
void HostMemory::give_back(std::byte* memory, const Allocation& allocation) noexcept {
  if (allocation.device >= 0) return file_.give_back(memory);
  if (poison_) std::memset(memory, kPoison, std::min(allocation.bytes, kPoisonedBytes));
  ::operator delete(memory, kAlignment);
}

HostMemory::Live::const_iterator HostMemory::find(const void* pointer) const {
  const auto* const place = static_cast<const std::byte*>(pointer);
  auto found = live_.upper_bound(place);
  if (found == live_.begin()) return live_.end();
  const auto& [memory, allocation] = *--found;
  // Past the end belongs to nobody. The distance is taken by value: pointers of two allocations must not be subtracted.
  const auto distance = reinterpret_cast<std::uintptr_t>(place) - reinterpret_cast<std::uintptr_t>(memory);
  return distance < allocation.bytes ? Live::const_iterator(found) : live_.end();
}

Classification HostMemory::classify(const void* pointer) {
  const std::lock_guard lock(mutex_);
  const auto found = find(pointer);
  if (found == live_.end()) return {};
  const auto& [memory, allocation] = *found;
  return {allocation.location, allocation.device, memory, allocation.bytes};
}

std::uint64_t HostMemory::allocation_at(const void* pointer) {
  const std::lock_guard lock(mutex_);
  const auto found = find(pointer);
  return found != live_.end() ? found->second.number : 0;
}

std::optional<SharedPlace> HostMemory::place_of(int device, const void* memory) {
  const std::lock_guard lock(mutex_);
  const auto found = live_.find(static_cast<const std::byte*>(memory));
  if (device < 0 || found == live_.end() || found->second.device != device) return {};
  return file_.place_of(found->first);
}

}  // namespace kaon::gpu
