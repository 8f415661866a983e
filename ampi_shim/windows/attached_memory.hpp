// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <iterator>
#include <map>

namespace kaon::ampi {

/// The memory that a rank has attached to a dynamic window. Only the thread of its PE uses it.
class AttachedMemory {
 public:
  /// False: some of it is attached already.
  bool attach(std::uint64_t base, std::uint64_t bytes) {
    const auto behind = regions_.lower_bound(base);
    if (behind != regions_.end() && behind->first < base + (bytes > 0 ? bytes : 1)) return false;
    if (behind != regions_.begin() && std::prev(behind)->second > base) return false;
    regions_[base] = base + bytes;
    return true;
  }
  /// False: no region begins there.
  bool detach(std::uint64_t base) { return regions_.erase(base) != 0; }

  /// True if one region holds all of it.
  bool holds(std::uint64_t first, std::uint64_t bytes) const {
    const auto behind = regions_.upper_bound(first);
    return behind != regions_.begin() && first + bytes <= std::prev(behind)->second;
  }

 private:
  std::map<std::uint64_t, std::uint64_t> regions_;  // where each begins and ends
};

}  // namespace kaon::ampi
