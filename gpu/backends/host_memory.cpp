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
  void* const memory = keep({foreign_, device, bytes});
  if (memory != nullptr) left -= bytes;
  return memory;
}

void* HostMemory::allocate_pinned(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  return keep({Location::pinned, -1, bytes});
}

void* HostMemory::keep(const Allocation& allocation) {
  auto* const memory = static_cast<std::byte*>(::operator new(allocation.bytes, kAlignment, std::nothrow));
  if (memory != nullptr) live_.emplace(memory, allocation);
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

/// Poisoned first: what still reads it shows.
void HostMemory::give_back(std::byte* memory, const Allocation& allocation) noexcept {
  if (poison_) std::memset(memory, kPoison, std::min(allocation.bytes, kPoisonedBytes));
  ::operator delete(memory, kAlignment);
}

Classification HostMemory::classify(const void* pointer) {
  const std::lock_guard lock(mutex_);
  const auto* const place = static_cast<const std::byte*>(pointer);
  auto found = live_.upper_bound(place);
  if (found == live_.begin()) return {};
  const auto& [memory, allocation] = *--found;
  // Past the end belongs to nobody. The distance is taken by value: pointers of two allocations must not be subtracted.
  if (reinterpret_cast<std::uintptr_t>(place) - reinterpret_cast<std::uintptr_t>(memory) >= allocation.bytes) return {};
  return {allocation.location, allocation.device, memory, allocation.bytes};
}

}  // namespace kaon::gpu
