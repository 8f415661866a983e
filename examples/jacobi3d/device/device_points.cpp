// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/device/device_points.hpp"

#include <array>
#include <utility>

namespace jacobi3d {

Planes DevicePoints::relax(Planes outside) {
  SweepKernel sweep = grid_.next_sweep();
  kaon::gpu::Stream& sending = grid_.sending_stream();
  std::array<kaon::gpu::Buffer<double>, kFaces.size()> leaving;
  bool has_neighbors = false;
  for (const Face face : kFaces) {
    const std::size_t f = number(face);
    if (!grid_.has_neighbor(face)) continue;
    // Before the first step all values are 0, the neighbor's like our own.
    sweep.in[f] = {outside[f].view(sending).data(), 0.0};
    leaving[f] = kaon::gpu::Buffer<double>(grid_.plane(face), sending);
    sweep.out[f] = leaving[f].data();
    has_neighbors = true;
  }
  grid_.relax(sweep);
  if (has_neighbors && !grid_.gathers()) sending.record();  // what neighbors wait for, whatever comes behind it
  Planes inside;
  for (const Face face : kFaces)
    if (grid_.has_neighbor(face)) inside[number(face)] = kaon::Payload(std::move(leaving[number(face)]), sending);
  return inside;
}

}  // namespace jacobi3d
