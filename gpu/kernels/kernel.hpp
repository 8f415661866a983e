// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <type_traits>

#include "kaon/gpu/backends/api.hpp"
#include "kaon/gpu/backends/driver.hpp"

namespace kaon::gpu {

/// The threads of a kernel: `blocks` x `threads`, each in up to 3 dimensions (x changes fastest).
struct Extent {
  unsigned x, y, z;
  constexpr Extent(unsigned along_x = 1, unsigned along_y = 1, unsigned along_z = 1)  // NOLINT: {1024} and 1024 alike
      : x(along_x), y(along_y), z(along_z) {}
  constexpr std::size_t volume() const { return std::size_t{x} * y * z; }
};
struct Grid {
  Extent blocks;
  Extent threads;  // of a block
  constexpr Grid() = default;
  constexpr Grid(const Extent& of_blocks, const Extent& of_threads) : blocks(of_blocks), threads(of_threads) {}
};

/// A kernel is a struct of trivially copyable arguments, declared in a header that every compiler reads:
///
///   struct Scale { double* values; std::size_t count; double by;
///                  template <class Context> KAON_DEVICE void operator()(Context& at) const; };
///
/// Its body stands in a source of its own (`x.kernels.cpp`, listed in kaon_kernels() of CMake), which is compiled once
/// for each back end of the build and ends with KAON_KERNEL(Scale). Written with steps over the whole grid
/// (`for (i = at.index(); i < count; i += at.stride())`) it is right for every grid, also for the one thread a block
/// has on the host. Blocks of one kernel must not wait for each other.
///
/// It may also declare how many threads a block of it has at most, and for how many such blocks at once the compiler
/// shall leave registers on each multiprocessor: `static constexpr unsigned kMostThreads = 256, kBlocksAtOnce = 4;`.
template <class Kernel>
void launch_on_host(NativeStream stream, const Grid& grid, const Kernel& kernel);
template <class Kernel>
void launch_on_vendor(NativeStream stream, const Grid& grid, const Kernel& kernel);

inline constexpr unsigned kThreadsOfAnyBlock = 1024;

template <class Kernel>
constexpr unsigned most_threads() {
  if constexpr (requires { Kernel::kMostThreads; }) return Kernel::kMostThreads;
  return kThreadsOfAnyBlock;
}
template <class Kernel>
constexpr unsigned blocks_at_once() {
  if constexpr (requires { Kernel::kBlocksAtOnce; }) return Kernel::kBlocksAtOnce;
  return 1;
}

template <class Kernel>
void launch(Backend backend, NativeStream stream, const Grid& grid, const Kernel& kernel) {
  static_assert(std::is_trivially_copyable_v<Kernel>, "a kernel is a struct of trivially copyable arguments");
  if (kHasVendor && backend != Backend::host) {
    if constexpr (kHasVendor) launch_on_vendor(stream, grid, kernel);
  } else {
    launch_on_host(stream, grid, kernel);
  }
}

/// Puts a function behind what was given to a stream of the emulation.
void enqueue_on_host(NativeStream stream, std::function<void()> work);

}  // namespace kaon::gpu
