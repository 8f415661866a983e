// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "kaon/runtime/ports/machine.hpp"

namespace kaon::gpu {

class Memory;

/// A range of device memory that lives long: a slab of ours, or memory that somebody else owns and has registered.
struct Region : MemoryRegion {
  int device = 0;
  const Memory* memory = nullptr;  // whose slab it is; nullptr for registered memory
  std::string staged_because;      // why it cannot be sent directly; empty: it can
  std::atomic<bool> has_warned{false};
  std::atomic<std::size_t> uses{0};  // payloads over registered memory that have not ended
};

/// All regions of a process, so that a pointer is classified without asking the driver. Looking up takes no lock: it
/// reads a sorted list that is replaced, never changed; lists that were replaced stay until the end, they are few.
class RegionTable {
 public:
  void add(Region& region);
  void remove(Region& region);
  /// As remove; the region stays to the end, for those who have just found it.
  void retire(std::unique_ptr<Region> region);
  /// The region that holds this byte; nullptr: none.
  Region* find(const void* pointer) const;

 private:
  using List = std::vector<Region*>;  // by address
  void replace(std::unique_ptr<List> list);

  std::mutex lock_;                         // of those who replace the list
  std::atomic<const List*> list_{nullptr};  // release when it is replaced, acquire when it is read
  std::vector<std::unique_ptr<List>> lists_;
  std::vector<std::unique_ptr<Region>> retired_;
};

}  // namespace kaon::gpu
