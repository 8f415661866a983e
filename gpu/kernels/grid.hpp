// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::gpu {

/// A count, or a place, in up to 3 dimensions; x changes fastest.
struct Extent {
  unsigned x, y, z;
  constexpr Extent(unsigned along_x = 1, unsigned along_y = 1, unsigned along_z = 1)  // NOLINT: {1024} and 1024 alike
      : x(along_x), y(along_y), z(along_z) {}
  constexpr std::size_t volume() const { return std::size_t{x} * y * z; }
  /// The number of `at` among all places.
  constexpr std::size_t number(const Extent& at) const { return (std::size_t{at.z} * y + at.y) * x + at.x; }
};

/// The threads of a launch.
struct Grid {
  Extent blocks;
  Extent threads;                // of a block
  std::size_t shared_bytes = 0;  // of a block, beside what its kernel declares: at.dynamic_shared()
  constexpr Grid() = default;
  constexpr Grid(const Extent& of_blocks, const Extent& of_threads, std::size_t dynamic_shared_bytes = 0)
      : blocks(of_blocks), threads(of_threads), shared_bytes(dynamic_shared_bytes) {}
};

/// The properties that a kernel declares, by the constants that kernel.hpp names.
struct KernelTraits {
  const char* type;  // as typeid names it
  unsigned most_threads;
  bool needs_threads;
  bool is_cooperative;
  bool starts_early;
};

/// Throws GpuError with the kernel's name for a grid that no back end runs, so that the emulation refuses what a device
/// would.
void check_grid(const Grid& grid, const KernelTraits& kernel);

}  // namespace kaon::gpu
