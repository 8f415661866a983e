// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/host/host_points.hpp"

#include <algorithm>

#include "examples/jacobi3d/host/boundary.hpp"

namespace jacobi3d {

Planes HostPoints::relax(Planes outside) {
  Sweep block{grid_.shape(), grid_.now(), grid_.next(), {}, {}};
  Planes inside;
  const double* const ones = boundary_plane(largest_plane(grid_.shape()));
  for (const Face face : kFaces) {
    const std::size_t f = number(face);
    block.in[f] = ones;
    if (!cube_.contains(neighbor(block_, face))) continue;
    // Before the first step all values are 0, the neighbor's like our own.
    block.in[f] = outside[f].empty() ? grid_.now() : outside[f].view().data();
    inside[f] = kaon::Payload<double>::uninitialized(plane_size(grid_.shape(), face));
    block.out[f] = inside[f].view().data();
  }
  change_ = sends_only_ ? 0 : sweep(block, writing_);
  grid_.flip();
  return inside;
}

kaon::Task<CompensatedSum> HostPoints::sum() {
  CompensatedSum sum;
  sum.add(grid_.values());
  co_return sum;
}

kaon::Task<std::vector<double>> HostPoints::slice(int x) {
  const auto values = grid_.slice(x);
  co_return std::vector<double>(values.begin(), values.end());
}

// Step by step, forwards in one and backwards in the next. So a step begins with the blocks that the last one ended
// with, which are in the cache.
int HostPoints::turn(const Triple& to, int step) const {
  const Triple& blocks = cube_.blocks;
  const int count = blocks[0] * blocks[1] * blocks[2];
  const int place = (to[0] * blocks[1] + to[1]) * blocks[2] + to[2];
  const int turns = std::max(2, (1 << 30) / count & ~1);  // then it starts anew, which costs one step its order
  return 1 + step % turns * count + (step % 2 == 0 ? place : count - 1 - place);
}

}  // namespace jacobi3d
