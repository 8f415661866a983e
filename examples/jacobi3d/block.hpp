// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <kaon/kaon.hpp>
#include "examples/jacobi3d/geometry.hpp"
#include "examples/jacobi3d/grid.hpp"
#include "examples/jacobi3d/stencil.hpp"
#include "examples/jacobi3d/summary.hpp"

namespace kaon::jacobi3d {

// The values that a block just outside a face needs for one iteration.
struct Halo {
  int iteration;
  Face face;  // of the receiver
  kaon::Payload<double> plane;
};

// A part of the cube. It relaxes as soon as its neighbors' halos are there, whatever other blocks do:
// a neighbor is at most one iteration ahead.
class Block : public kaon::Chare<Block> {
 public:
  explicit Block(const Decomposition& cube, bool sends_only = false)
      : cube_(cube), sends_only_(sends_only), grid_(cube.block_shape()) {}

  // Halos wait here, by iteration, until run() asks for them.
  kaon::Inbox<Halo, &Halo::iteration> halos;

  // Relaxes `count` times; returns the largest change of the last time in this block.
  kaon::Task<double> run(int count);

  // Between runs:
  CompensatedSum sum();
  std::vector<double> slice(int x);  // the block's own x

 private:
  using Planes = std::array<kaon::Payload<double>, kFaces.size()>;

  Triple place() const { return {index().x, index().y, index().z}; }
  int count_neighbors() const;
  double relax(const Planes& arrived);
  void send(Planes& leaving);
  int turn(const Triple& block, int iteration) const;

  Decomposition cube_;
  bool sends_only_;
  Grid grid_;
  WritingTrial writing_;
  int iteration_ = 0;
};

}  // namespace kaon::jacobi3d
