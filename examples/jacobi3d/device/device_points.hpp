// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "examples/jacobi3d/device/device_grid.hpp"
#include "examples/jacobi3d/points.hpp"

namespace jacobi3d {

// In the memory of a PE's device. One kernel a step reads the neighbors' planes where they lie and leaves new ones.
// Planes that blocks of one PE hand to each other are waited for by streams, not by the host.
class DevicePoints final : public Points {
 public:
  DevicePoints(const Options& options, const Triple& block) : grid_(options, block) {}

  Planes relax(Planes outside) override;
  bool shares_launches() const override { return grid_.shares_one_list(); }
  kaon::Task<> keep_pace() override { return grid_.keep_pace(); }
  kaon::Task<double> change() override { return grid_.change(); }
  kaon::Task<CompensatedSum> sum() override { return grid_.sum(); }
  kaon::Task<std::vector<double>> slice(int x) override { return grid_.slice(x); }
  int turn(const Triple&, int) const override { return 0; }

 private:
  DeviceGrid grid_;
};

}  // namespace jacobi3d
