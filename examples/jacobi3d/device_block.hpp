// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include <kaon/kaon.hpp>
#include "examples/jacobi3d/geometry.hpp"
#include "examples/jacobi3d/summary.hpp"
#include "examples/jacobi3d/sweep.kernels.hpp"
#include "kaon/gpu/stream.hpp"

namespace kaon::jacobi3d {

// As Halo, with the plane in the memory of a device.
struct DeviceHalo {
  int iteration;
  Face face;  // of the receiver
  kaon::Payload<double> plane;
};

// A part of the cube in the memory of its PE's device. One kernel an iteration reads the neighbors' planes where they
// lie and leaves new ones. Planes that blocks of one PE hand to each other are waited for by streams, not by the host.
// A large block with neighbors along x alone computes its outermost planes first, on a stream of their own: they travel
// while the planes between them are computed.
class DeviceBlock : public kaon::Chare<DeviceBlock> {
 public:
  // The blocks of a PE share `streams` streams: kernels on different ones overlap.
  DeviceBlock(const Decomposition& cube, int streams, bool sends_only = false);

  kaon::Inbox<DeviceHalo, &DeviceHalo::iteration> halos;

  // Relaxes `count` times; returns the largest change of the last time in this block.
  kaon::Task<double> run(int count);

  // Between runs:
  kaon::Task<CompensatedSum> sum();
  kaon::Task<std::vector<double>> slice(int x);  // the block's own x

 private:
  using Planes = std::array<kaon::Payload<double>, kFaces.size()>;
  static constexpr int kChanges = 64;  // cells for the changes of so many iterations

  std::size_t choose_stream(int streams) const;
  Triple place() const { return {index().x, index().y, index().z}; }
  bool has_neighbor(Face face) const { return cube_.contains(neighbor(place(), face)); }
  int count_neighbors() const;
  bool has_edges_apart() const;
  void relax(Planes arrived);
  SweepKernel next_sweep();
  void launch(const SweepKernel& sweep);
  void launch_planes(SweepKernel sweep, int first_x, int last_x, kaon::gpu::Stream& stream) const;
  void send(Face face, kaon::gpu::Buffer<double> plane);
  kaon::gpu::Stream& sending_stream() { return edges_ ? *edges_ : stream_; }
  double* change_cell();
  kaon::Task<double> read_change();

  Decomposition cube_;
  bool sends_only_;
  int neighbors_;
  int iteration_ = 0;
  kaon::gpu::Stream stream_;
  std::optional<kaon::gpu::Stream> edges_;  // for the outermost planes along x, where they go ahead
  kaon::gpu::Buffer<double> now_, next_;
  kaon::gpu::Buffer<double> changes_;
  kaon::gpu::Event paced_;  // an earlier place in the stream, to which the host does not run ahead too far
};

}  // namespace kaon::jacobi3d
