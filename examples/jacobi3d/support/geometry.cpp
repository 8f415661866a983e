// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/support/geometry.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include <kaon/kaon.hpp>

namespace jacobi3d {
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
    throw kaon::UsageError(
        fmt::format("--blocks asks for {} blocks along {}: give at least 1 along each axis", blocks, name));
  if (blocks > cells)
    throw kaon::UsageError(
        fmt::format("--blocks asks for {} blocks along {}, but there are only {} cells: give at most {}", blocks, name,
                    cells, cells));
  if (cells % blocks != 0)
    throw kaon::UsageError(
        fmt::format("{} cells cannot be cut into {} equal blocks along {}: give {} blocks, or other cells", cells,
                    blocks, name, divisors_near(cells, blocks)));
}

std::string text_of(const std::array<std::int64_t, 3>& cells) {
  return fmt::format("{} x {} x {}", cells[0], cells[1], cells[2]);
}

void check_memory(const std::array<std::int64_t, 3>& cells, std::size_t memory_bytes) {
  constexpr double kBytesPerCell = 2 * sizeof(double);  // the old and the new value
  constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
  double bytes = kBytesPerCell;
  for (const std::int64_t along : cells) bytes *= static_cast<double>(along);
  const double memory = static_cast<double>(memory_bytes);
  if (bytes <= memory) return;
  throw kaon::UsageError(fmt::format(
      "--cells means {} points in {:.4g} GiB, but this machine has {:.4g} GiB: give at most {:.0f} along each axis",
      text_of(cells), bytes / kGiB, memory / kGiB, std::floor(std::cbrt(memory / kBytesPerCell))));
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

Decomposition decompose(const std::array<std::int64_t, 3>& cells, const std::array<std::int64_t, 3>& blocks,
                        std::size_t memory_bytes) {
  for (const std::int64_t along : cells)
    if (along < 1) throw kaon::UsageError(fmt::format("--cells {}: give at least 1 cell along each axis", along));
  check_memory(cells, memory_bytes);
  for (std::size_t a = 0; a < 3; ++a) check_axis(cells[a], blocks[a], "xyz"[a]);
  // small: the points fit into memory
  const auto narrow = [](const std::array<std::int64_t, 3>& v) {
    return Triple{static_cast<int>(v[0]), static_cast<int>(v[1]), static_cast<int>(v[2])};
  };
  return {narrow(cells), narrow(blocks)};
}

std::array<std::int64_t, 3> default_blocks(const std::array<std::int64_t, 3>& cells) {
  std::array<std::int64_t, 3> blocks{1, 1, 1};
  for (std::size_t a = 0; a < 3; ++a) {
    if (cells[a] < 1) continue;  // decompose() refuses such cells
    blocks[a] = 4;
    while (cells[a] % blocks[a] != 0) --blocks[a];
  }
  return blocks;
}

}  // namespace jacobi3d
