// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "examples/jacobi3d/host/grid.hpp"
#include "examples/jacobi3d/host/stencil.hpp"
#include "examples/jacobi3d/support/geometry.hpp"
#include "examples/jacobi3d/support/summary.hpp"

namespace kaon::testing {

// The example's blocks without the runtime: all in one thread, planes carried from block to block by
// hand. Blocks of any one shape, so also boxes that the program itself does not make.
class BlockMesh {
 public:
  using Triple = jacobi3d::Triple;
  using Face = jacobi3d::Face;

  BlockMesh(const Triple& shape, const Triple& blocks) : shape_(shape), blocks_(blocks) {
    for (std::size_t b = 0; b < jacobi3d::volume(blocks); ++b) parts_.emplace_back(shape);
  }

  // All later steps by this version of the sweep.
  void use(jacobi3d::SweepFunction sweep, jacobi3d::Writing writing) {
    sweep_ = sweep;
    writing_ = writing;
  }

  // Sweeps each block in pieces of this many x planes; all in one when 0.
  double step(int planes_at_once = 0) {
    double change = 0;
    std::vector<std::array<Plane, 6>> sent(parts_.size());
    for_each_block(
        [&](const Triple& block) { change = std::max(change, relax(block, planes_at_once, sent[at(block)])); });
    for_each_block([&](const Triple& block) { deliver(block, sent[at(block)]); });
    return change;
  }

  double value(int x, int y, int z) const {
    const Triple block{x / shape_[0], y / shape_[1], z / shape_[2]};
    const auto i = static_cast<std::size_t>(x % shape_[0]), j = static_cast<std::size_t>(y % shape_[1]);
    return parts_[at(block)]
        .grid.values()[(i * static_cast<std::size_t>(shape_[1]) + j) * static_cast<std::size_t>(shape_[2]) +
                       static_cast<std::size_t>(z % shape_[2])];
  }

  double sum() const {
    jacobi3d::CompensatedSum total;
    for (const Part& part : parts_) {
      jacobi3d::CompensatedSum own;
      own.add(part.grid.values());
      total.add(own);
    }
    return total.value();
  }

 private:
  using Plane = std::vector<double>;

  struct Part {
    explicit Part(const Triple& shape) : grid(shape) {}
    jacobi3d::Grid grid;
    std::array<Plane, 6> planes;  // from the neighbors; empty before the first step and at the boundary
  };

  bool contains(const Triple& block) const {
    for (std::size_t a = 0; a < 3; ++a)
      if (block[a] < 0 || block[a] >= blocks_[a]) return false;
    return true;
  }
  std::size_t at(const Triple& block) const {
    return static_cast<std::size_t>((block[0] * blocks_[1] + block[1]) * blocks_[2] + block[2]);
  }
  template <class Visit>
  void for_each_block(Visit visit) const {
    for (int x = 0; x < blocks_[0]; ++x)
      for (int y = 0; y < blocks_[1]; ++y)
        for (int z = 0; z < blocks_[2]; ++z) visit(Triple{x, y, z});
  }

  double relax(const Triple& block, int planes_at_once, std::array<Plane, 6>& sent) {
    Part& part = parts_[at(block)];
    jacobi3d::Sweep sweep{shape_, part.grid.now(), part.grid.next(), {}, {}, writing_};
    for (const Face face : jacobi3d::kFaces) {
      const std::size_t f = number(face), points = plane_size(shape_, face);
      const bool is_inside = contains(neighbor(block, face));
      if (part.planes[f].empty()) part.planes[f].assign(points, is_inside ? 0.0 : 1.0);
      sweep.in[f] = part.planes[f].data();
      if (!is_inside) continue;
      sent[f].assign(points, -1.0);
      sweep.out[f] = sent[f].data();
    }
    double change = 0;
    const int piece = planes_at_once > 0 ? planes_at_once : shape_[0];
    for (int x = 0; x < shape_[0]; x += piece)
      change = std::max(change, sweep_(sweep, x, std::min(x + piece, shape_[0])));
    part.grid.flip();
    return change;
  }

  void deliver(const Triple& block, std::array<Plane, 6>& sent) {
    for (const Face face : jacobi3d::kFaces)
      if (!sent[number(face)].empty())
        parts_[at(neighbor(block, face))].planes[number(opposite(face))] = std::move(sent[number(face)]);
  }

  Triple shape_, blocks_;
  jacobi3d::SweepFunction sweep_ = jacobi3d::sweep;
  jacobi3d::Writing writing_ = jacobi3d::Writing::cached;
  std::vector<Part> parts_;
};

}  // namespace kaon::testing
