// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "kaon/runtime/ports/memory_region.hpp"

namespace kaon::gpu {

class Arena;

/// A range of device memory: a slab of ours, or memory that somebody else owns and has registered.
struct Region : MemoryRegion {
  int device = 0;
  Arena* arena = nullptr;      // whose Slab it is; nullptr for registered memory
  std::string staged_because;  // why it cannot be sent directly; empty: it can
  std::atomic<bool> has_warned{false};
  std::atomic<bool> is_exported{false};  // other processes may have it mapped: it is never given back
  std::atomic<std::size_t> uses{0};      // payloads over registered memory that have not ended
};

/// All regions of a process, so that a pointer is classified without asking the driver. Each PE looks them up in a view
/// of its own, a sorted list that it shares until the table changes; a list ends with the last view of it, and with it
/// the regions that were removed.
class RegionTable {
 public:
  void add(std::shared_ptr<Region> region);
  void remove(const Region& region);
  /// Keeps a removed region for good because it is still referred to, which is an error of the program.
  void keep_for_good(std::shared_ptr<Region> region);

 private:
  friend class RegionView;
  using List = std::vector<std::shared_ptr<Region>>;  // by address
  void replace(List list);

  std::mutex lock_;  // guards list_ and kept_
  std::shared_ptr<const List> list_ = std::make_shared<List>();
  List kept_;
  // Of list_; release when it is replaced, acquire when a view looks whether it has the latest.
  std::atomic<std::uint64_t> version_{0};
};

/// The table as one PE sees it: without a lock, unless it has changed.
class RegionView {
 public:
  explicit RegionView(RegionTable& table) : table_(table) {}
  RegionView(const RegionView&) = delete;
  RegionView& operator=(const RegionView&) = delete;

  /// The region that holds this byte, the innermost of several; nullptr: none. It stays until the next call.
  Region* find(const void* pointer);

 private:
  RegionTable& table_;
  std::uint64_t version_ = 0;
  std::shared_ptr<const RegionTable::List> list_;
};

}  // namespace kaon::gpu
