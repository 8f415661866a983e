// SPDX-License-Identifier: Apache-2.0
#include "bench/gpu/floors/block.hpp"

#include "examples/jacobi3d/host/stencil.hpp"

namespace kaon::bench {

using jacobi3d::SweepKernel;
using jacobi3d::Triple;
using jacobi3d::volume;

void launch_sweep(const SweepKernel& kernel, cudaStream_t stream) {
  const Triple swept{kernel.last_x - kernel.first_x, kernel.shape.y, kernel.shape.z};
  gpu::launch(gpu::Backend::cuda, stream, jacobi3d::sweep_grid(swept), kernel);
}

DeviceBlock::DeviceBlock(int device, const Triple& shape)
    : shape_(shape),
      now_(device, volume(shape) * sizeof(double)),
      next_(device, volume(shape) * sizeof(double)),
      change_(device, sizeof(double)) {}

SweepKernel DeviceBlock::kernel() const {
  SweepKernel kernel;
  kernel.shape = jacobi3d::extents_of(shape_);
  kernel.last_x = shape_[0];
  kernel.now = now_.doubles();
  kernel.next = next_.doubles();
  kernel.change = change_.doubles();
  return kernel;
}

void DeviceBlock::start_from(const std::vector<double>& values) {
  check(cudaMemcpy(now_.data(), values.data(), values.size() * sizeof(double), cudaMemcpyDefault), "write the values");
}

HostBlock::HostBlock(const Triple& shape)
    : shape_(shape), now_(volume(shape)), next_(volume(shape)), ones_(jacobi3d::largest_plane(shape), 1.0) {}

double HostBlock::step() {
  jacobi3d::Sweep sweep{shape_, now_.data(), next_.data(), {}, {}};
  sweep.in.fill(ones_.data());
  const double change = jacobi3d::sweep(sweep);
  now_.swap(next_);
  return change;
}

}  // namespace kaon::bench
