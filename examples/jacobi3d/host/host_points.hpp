// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "examples/jacobi3d/host/grid.hpp"
#include "examples/jacobi3d/host/stencil.hpp"
#include "examples/jacobi3d/points.hpp"

namespace jacobi3d {

// In the memory of the host: a sweep reads the neighbors' planes where they arrived and writes new ones into buffers
// that are sent away.
class HostPoints final : public Points {
 public:
  HostPoints(const Options& options, const Triple& block)
      : cube_(options.decomposition),
        block_(block),
        sends_only_(options.sends_only),
        grid_(options.decomposition.block_shape()) {}

  Planes relax(Planes outside) override;
  kaon::Task<> keep_pace() override { co_return; }
  kaon::Task<double> change() override { co_return change_; }
  kaon::Task<CompensatedSum> sum() override;
  kaon::Task<std::vector<double>> slice(int x) override;
  int turn(const Triple& to, int step) const override;

 private:
  Decomposition cube_;
  Triple block_;
  bool sends_only_;
  Grid grid_;
  WritingTrial writing_;
  double change_ = 0;
};

}  // namespace jacobi3d
