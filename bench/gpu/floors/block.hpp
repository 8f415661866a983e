// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "bench/gpu/floors/cuda.hpp"
#include "examples/jacobi3d/device/sweep.kernels.hpp"
#include "examples/jacobi3d/support/geometry.hpp"

namespace kaon::bench {

// The example's kernel on the example's grid, launched on a stream of the current device.
void launch_sweep(const jacobi3d::SweepKernel& kernel, cudaStream_t stream);

// Old and new values of a block on one device: 0 at first, with the boundary around.
class DeviceBlock {
 public:
  DeviceBlock(int device, const jacobi3d::Triple& shape);

  // A sweep over all of it; the caller may change what is beyond its faces.
  jacobi3d::SweepKernel kernel() const;
  void flip() { std::swap(now_, next_); }
  void start_from(const std::vector<double>& values);

  const jacobi3d::Triple& shape() const { return shape_; }
  const double* now() const { return now_.doubles(); }
  double* next() const { return next_.doubles(); }

 private:
  jacobi3d::Triple shape_;
  DeviceMemory now_, next_, change_;
};

// The same solved by the processor's sweep.
class HostBlock {
 public:
  explicit HostBlock(const jacobi3d::Triple& shape);
  void start_from(const std::vector<double>& values) { now_ = values; }
  double step();  // the largest change
  const std::vector<double>& values() const { return now_; }

 private:
  jacobi3d::Triple shape_;
  std::vector<double> now_, next_, ones_;
};

}  // namespace kaon::bench
