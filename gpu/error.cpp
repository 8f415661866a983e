// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/error.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "kaon/gpu/kernels/kernel.hpp"

namespace kaon::gpu {
namespace {

bool is_within(const Extent& extent, const Extent& most) {
  return extent.volume() > 0 && extent.x <= most.x && extent.y <= most.y && extent.z <= most.z;
}

}  // namespace

std::string readable_type(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(mangled, nullptr, nullptr, &status), std::free);
  return status == 0 ? name.get() : mangled;
}

void check_grid(const Grid& grid, const char* kernel, unsigned most_threads) {
  constexpr Extent kMostBlocks{(1u << 31) - 1, 65535, 65535};
  constexpr Extent kMostThreads{1024, 1024, 64};
  const auto& [blocks, threads] = grid;
  if (is_within(blocks, kMostBlocks) && is_within(threads, kMostThreads) && threads.volume() <= most_threads) return;
  throw GpuError(fmt::format(
      "cannot launch kernel {}: its grid has {} x {} x {} blocks of {} x {} x {} threads; each count must be at least "
      "1, a block of this kernel has at most {} threads (64 in z), a grid at most 2^31 - 1 blocks in x and 65535 in y "
      "and z",
      readable_type(kernel), blocks.x, blocks.y, blocks.z, threads.x, threads.y, threads.z, most_threads));
}

}  // namespace kaon::gpu
