// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/host/grid.hpp"

#include <algorithm>
#include <new>

#include "examples/jacobi3d/host/memory.hpp"

namespace jacobi3d {
namespace {

constexpr std::size_t kLineDoubles = 8;            // 64 bytes
constexpr std::size_t kPageDoubles = 512;          // 4 KiB
constexpr std::size_t kApart = 33 * kLineDoubles;  // half a page and an odd line

std::size_t rounded_up(std::size_t value, std::size_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

Grid::Grid(const Triple& shape) : shape_(shape) {
  const std::size_t second = rounded_up(volume(shape), kPageDoubles) + kApart;
  const std::size_t total = second + rounded_up(volume(shape), kLineDoubles);
  memory_.reset(allocate_doubles(total));
  std::fill_n(memory_.get(), total, 0.0);
  now_ = memory_.get();
  next_ = memory_.get() + second;
}

std::span<const double> Grid::slice(int x) const {
  const std::size_t points = plane_size(shape_, Face::x_low);
  return values().subspan(static_cast<std::size_t>(x) * points, points);
}

}  // namespace jacobi3d
