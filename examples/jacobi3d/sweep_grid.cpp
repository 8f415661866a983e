// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include "examples/jacobi3d/sweep.kernels.hpp"

namespace kaon::jacobi3d {

namespace {

constexpr unsigned kAlongZ = 32, kAlongY = 8;   // threads of a block
constexpr unsigned kPointsZ = 2, kPointsY = 2;  // of a thread
constexpr unsigned kMostBlocks = 65535;         // along y and z

unsigned divide_up(unsigned number, unsigned by) { return (number + by - 1) / by; }

}  // namespace

// Each block reads two x planes more than it computes, so few parts along x are best, but a device that has only a
// part of its threads to wait for memory is slower still.
gpu::Grid sweep_grid(const Triple& shape) {
  constexpr unsigned kEnough = 1584, kShortest = 4, kLongest = 64;  // blocks; x planes of a part
  const auto nx = static_cast<unsigned>(shape[0]);
  const unsigned z = divide_up(static_cast<unsigned>(shape[2]), kAlongZ * kPointsZ);
  const unsigned y = std::min(divide_up(static_cast<unsigned>(shape[1]), kAlongY * kPointsY), kMostBlocks);
  const unsigned least = divide_up(nx, kLongest), most = divide_up(nx, kShortest);
  const unsigned parts = std::clamp(divide_up(kEnough, y * z), least, most);
  return {{z, y, std::min(parts, kMostBlocks)}, {kAlongZ, kAlongY, 1}};
}

gpu::Grid flat_grid(std::size_t points) {
  constexpr std::size_t kThreads = 256, kMostGroups = 4096;
  return {{static_cast<unsigned>(std::clamp<std::size_t>(points / kThreads, 1, kMostGroups)), 1, 1}, {kThreads, 1, 1}};
}

}  // namespace kaon::jacobi3d
