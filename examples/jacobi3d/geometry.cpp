// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/geometry.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "runtime/error.hpp"

namespace kaon::jacobi3d {
namespace {

// Divisors of `cells` below and above `wanted`, which is none, for the sentence that refuses it.
std::string divisors_near(std::int64_t cells, std::int64_t wanted) {
  std::int64_t below = wanted, above = wanted;
  while (cells % below != 0) --below;
  while (cells % above != 0) ++above;
  return fmt::format("{} or {}", below, above);
}

void check_axis(std::int64_t cells, std::int64_t blocks, char name) {
  if (blocks < 1)
    throw UsageError(
        fmt::format("--blocks asks for {} blocks along {}: give at least 1 along each axis", blocks, name));
  if (blocks > cells)
    throw UsageError(fmt::format("--blocks asks for {} blocks along {}, but there are only {} cells: give at most {}",
                                 blocks, name, cells, cells));
  if (cells % blocks != 0)
    throw UsageError(fmt::format("{} cells cannot be cut into {} equal blocks along {}: give {} blocks, or other cells",
                                 cells, blocks, name, divisors_near(cells, blocks)));
}

void check_memory(std::int64_t cells, std::size_t memory_bytes) {
  constexpr double kBytesPerCell = 2 * sizeof(double);  // the old and the new value
  constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
  const double edge = static_cast<double>(cells), memory = static_cast<double>(memory_bytes);
  if (kBytesPerCell * edge * edge * edge <= memory) return;
  throw UsageError(fmt::format(
      "--cells {0} means {0} x {0} x {0} points in {1:.4g} GiB, but this machine has {2:.4g} GiB: give at most {3:.0f}",
      cells, kBytesPerCell * edge * edge * edge / kGiB, memory / kGiB, std::floor(std::cbrt(memory / kBytesPerCell))));
}

}  // namespace

Triple Decomposition::origin(const Triple& block) const {
  const Triple shape = block_shape();
  return {block[0] * shape[0], block[1] * shape[1], block[2] * shape[2]};
}

bool Decomposition::contains(const Triple& block) const {
  for (std::size_t a = 0; a < 3; ++a)
    if (block[a] < 0 || block[a] >= blocks[a]) return false;
  return true;
}

Decomposition decompose(std::int64_t cells, const std::array<std::int64_t, 3>& blocks, std::size_t memory_bytes) {
  if (cells < 1) throw UsageError(fmt::format("--cells {}: give at least 1 cell along each axis", cells));
  check_memory(cells, memory_bytes);
  for (std::size_t a = 0; a < 3; ++a) check_axis(cells, blocks[a], "xyz"[a]);
  const auto narrow = [](std::int64_t value) { return static_cast<int>(value); };  // small: cells^3 fit into memory
  return {narrow(cells), {narrow(blocks[0]), narrow(blocks[1]), narrow(blocks[2])}};
}

std::array<std::int64_t, 3> default_blocks(std::int64_t cells) {
  if (cells < 1) return {1, 1, 1};  // decompose() refuses such cells
  std::int64_t blocks = 4;
  while (cells % blocks != 0) --blocks;
  return {blocks, blocks, blocks};
}

}  // namespace kaon::jacobi3d
