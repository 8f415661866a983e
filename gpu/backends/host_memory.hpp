// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "kaon/gpu/backends/driver.hpp"
#include "kaon/gpu/backends/host_shared_file.hpp"

namespace kaon::gpu {

/// Memory of the emulated devices, which other processes can map, and pinned memory, which is ordinary; it knows what
/// of it lives. Any thread.
class HostMemory {
 public:
  explicit HostMemory(const HostSettings& settings);
  /// Gives back what was never freed, as the end of a process does on a device.
  ~HostMemory();
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;

  /// nullptr when the device's budget does not allow it, or the machine has no memory.
  void* allocate(int device, std::size_t bytes);
  void* allocate_pinned(std::size_t bytes);
  /// Frees memory of either kind by its original pointer. Any other but nullptr ends the process with a message.
  void free(void* memory) noexcept;
  Classification classify(const void* pointer);
  /// The number of the allocation that holds the pointer; 0: none.
  std::uint64_t allocation_at(const void* pointer);
  /// The place of memory that allocate() gave for this device; nothing for any other pointer.
  std::optional<SharedPlace> place_of(int device, const void* memory);

 private:
  struct Allocation {
    Location location;
    int device;
    std::size_t bytes;
    std::uint64_t number = 0;
  };
  using Live = std::map<std::byte*, Allocation, std::less<>>;
  /// Under the lock; the end: none.
  Live::const_iterator find(const void* pointer) const;
  void* keep(std::byte* memory, const Allocation& allocation);
  void give_back(std::byte* memory, const Allocation& allocation) noexcept;

  const bool poison_;
  const Location foreign_;         // of what allocate() gave
  std::mutex mutex_;               // guards what is below
  std::vector<std::size_t> left_;  // bytes, of each device
  Live live_;
  std::uint64_t allocations_ = 0;  // so many were made
  HostSharedFile file_;            // what allocate() gave
};

}  // namespace kaon::gpu
