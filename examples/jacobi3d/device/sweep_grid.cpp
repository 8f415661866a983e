// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include "examples/jacobi3d/device/sweep.kernels.hpp"

namespace jacobi3d {

namespace {

constexpr unsigned kPointsZ = 2;         // of a thread; it has one row
constexpr unsigned kMostBlocks = 65535;  // along y and z

unsigned divide_up(unsigned number, unsigned by) { return (number + by - 1) / by; }

// Threads of a block along z: as many as pays, but few that have no point.
unsigned threads_along_z(unsigned nz) {
  constexpr unsigned kMany = 64, kFew = 32;
  const auto points = [nz](unsigned threads) { return divide_up(nz, threads * kPointsZ) * threads; };
  return points(kMany) <= points(kFew) ? kMany : kFew;
}

// X planes that a block of threads marches. Each block reads two planes more than it computes, so long marches are
// best, but the blocks that come last have the device to themselves: many shorter ones leave less of it idle. A block
// that fills the device only once is better cut into very short marches than run by a part of its threads.
unsigned march_length(unsigned nx, unsigned columns) {
  constexpr unsigned kLongest = 64, kShort = 8, kShortest = 4;
  constexpr unsigned kMany = 8192, kOnce = 512;  // blocks: of 16 turns, and of one, on a device with 132 x 4 at once
  const auto has_fewer = [=](unsigned blocks, unsigned length) { return columns * divide_up(nx, length) < blocks; };
  unsigned length = kLongest;
  while (length > kShort && has_fewer(kMany, length)) length /= 2;
  while (length > kShortest && has_fewer(kOnce, length)) length /= 2;
  return length;
}

}  // namespace

kaon::gpu::Grid sweep_grid(const Triple& shape, int together) {
  const auto nx = static_cast<unsigned>(shape[0]), ny = static_cast<unsigned>(shape[1]);
  const auto nz = static_cast<unsigned>(shape[2]);
  const unsigned along_z = threads_along_z(nz), along_y = SweepKernel::kMostThreads / along_z;
  const unsigned z = divide_up(nz, along_z * kPointsZ), y = std::min(divide_up(ny, along_y), kMostBlocks);
  const unsigned length = march_length(nx, y * z * static_cast<unsigned>(together));
  return {{z, y, std::min(divide_up(nx, length), kMostBlocks)}, {along_z, along_y, 1}};
}

kaon::gpu::Grid flat_grid(std::size_t points) {
  constexpr std::size_t kThreads = 256, kMostGroups = 4096;
  return {{static_cast<unsigned>(std::clamp<std::size_t>(points / kThreads, 1, kMostGroups)), 1, 1}, {kThreads, 1, 1}};
}

}  // namespace jacobi3d
