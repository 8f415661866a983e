// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/block.hpp"

#include <algorithm>
#include <utility>

#include "examples/jacobi3d/boundary.hpp"
#include "examples/jacobi3d/stencil.hpp"

namespace kaon::jacobi3d {

kaon::Task<double> Block::run(int count) {
  double change = 0;
  const int neighbors = count_neighbors();
  for (const int stop = iteration_ + count; iteration_ < stop; ++iteration_) {
    Planes arrived;
    for (int missing = iteration_ > 0 ? neighbors : 0; missing > 0; --missing) {
      Halo halo = co_await halos.when(iteration_);  // faces in any order
      arrived[number(halo.face)] = std::move(halo.plane);
    }
    change = relax(arrived);
  }
  co_return change;
}

int Block::count_neighbors() const {
  int count = 0;
  for (const Face face : kFaces) count += cube_.contains(neighbor(place(), face));
  return count;
}

// The sweep reads the neighbors' planes where they arrived and writes new ones into buffers that are sent away.
double Block::relax(const Planes& arrived) {
  Sweep block{grid_.shape(), grid_.now(), grid_.next(), {}, {}};
  Planes leaving;
  const double* const ones = boundary_plane(largest_plane(grid_.shape()));
  for (const Face face : kFaces) {
    const std::size_t f = number(face);
    block.in[f] = ones;
    if (!cube_.contains(neighbor(place(), face))) continue;
    // Before the first iteration all values are 0, the neighbor's like our own.
    block.in[f] = iteration_ > 0 ? arrived[f].view().data() : grid_.now();
    leaving[f] = kaon::Payload<double>::uninitialized(plane_size(grid_.shape(), face));
    block.out[f] = leaving[f].view().data();
  }
  const double change = sends_only_ ? 0 : sweep(block, writing_);
  grid_.flip();
  send(leaving);
  return change;
}

void Block::send(Planes& leaving) {
  for (const Face face : kFaces) {
    const Triple to = neighbor(place(), face);
    if (!cube_.contains(to)) continue;
    Halo halo{iteration_ + 1, opposite(face), std::move(leaving[number(face)])};
    const auto block = array()[{to[0], to[1], to[2]}];
    block.with_priority(turn(to, iteration_ + 1)).send<&Block::halos>(std::move(halo));
  }
}

// When a block's halos are looked at, among those of all blocks on its PE: iteration by iteration, forwards in one and
// backwards in the next. So an iteration begins with the blocks that the last one ended with, which are in the cache.
int Block::turn(const Triple& block, int iteration) const {
  const Triple& blocks = cube_.blocks;
  const int count = blocks[0] * blocks[1] * blocks[2];
  const int place = (block[0] * blocks[1] + block[1]) * blocks[2] + block[2];
  const int turns = std::max(2, (1 << 30) / count & ~1);  // then it starts anew, which costs one iteration its order
  return 1 + iteration % turns * count + (iteration % 2 == 0 ? place : count - 1 - place);
}

CompensatedSum Block::sum() {
  CompensatedSum sum;
  sum.add(grid_.values());
  return sum;
}

std::vector<double> Block::slice(int x) {
  const auto values = grid_.slice(x);
  return {values.begin(), values.end()};
}

}  // namespace kaon::jacobi3d
