// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace put_bench {

/// Nanoseconds of each put, and how many came wrong or not at all.
struct Times {
  std::vector<double> ns;
  std::uint32_t wrong = 0;
};

/// Gaps between times at which puts came; those behind the last one that came count as wrong.
inline Times gaps_of(const std::vector<unsigned long long>& came) {
  Times times;
  for (std::size_t i = 1; i < came.size(); ++i) {
    if (came[i] != 0)
      times.ns.push_back(static_cast<double>(came[i] - came[i - 1]));
    else
      ++times.wrong;
  }
  return times;
}

/// Copies of one size from device 0 to device 1 by CUDA alone: graphs that a kernel launches. The calling thread waits;
/// device 0 is the current one before and after each call.
class FloorPuts {
 public:
  FloorPuts(std::size_t bytes, std::uint32_t copies);
  FloorPuts(const FloorPuts&) = delete;
  FloorPuts& operator=(const FloorPuts&) = delete;
  ~FloorPuts();

  /// There by the copy and back by a store, one after the other; 100 at most.
  Times post_directly(std::uint32_t count);
  /// The same by way of a ring and an engine of one block.
  Times post_by_ring(std::uint32_t count);
  /// Gaps between many puts in a row.
  Times flood(std::uint32_t count);
  /// Stores, there and back.
  Times store(std::uint32_t count);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace put_bench
