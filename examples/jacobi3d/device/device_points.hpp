// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "examples/jacobi3d/device/sweep.kernels.hpp"
#include "examples/jacobi3d/points.hpp"
#include "kaon/gpu/stream.hpp"

namespace jacobi3d {

// In the memory of a PE's device. One kernel a step reads the neighbors' planes where they lie and leaves new ones.
// Planes that blocks of one PE hand to each other are waited for by streams, not by the host. A large block with
// neighbors along x alone computes its outermost planes first, on a stream of their own: they travel while the planes
// between them are computed. Other blocks of a PE that are ready together share a launch.
class DevicePoints final : public Points {
 public:
  // The blocks of a PE share some streams: kernels on different ones overlap. Those that share launches share one.
  DevicePoints(const Options& options, const Triple& block);

  Planes relax(Planes outside) override;
  kaon::Task<> keep_pace() override;
  kaon::Task<double> change() override;
  kaon::Task<CompensatedSum> sum() override;
  kaon::Task<std::vector<double>> slice(int x) override;
  int turn(const Triple&, int) const override { return 0; }

 private:
  static constexpr int kChanges = 1024;  // cells for the changes of so many steps; clearing them ends a gathered launch

  bool gathers(Launches launches) const;
  std::size_t choose_stream(const Options& options) const;
  bool has_neighbor(Face face) const { return cube_.contains(neighbor(block_, face)); }
  int count_neighbors() const;
  bool has_edges_apart() const;
  SweepKernel next_sweep();
  void launch(const SweepKernel& sweep);
  void launch_planes(SweepKernel sweep, int first_x, int last_x, kaon::gpu::Stream& stream) const;
  kaon::gpu::Stream& sending_stream() { return edges_ ? *edges_ : stream_; }
  double* change_cell();

  Decomposition cube_;
  Triple block_;
  bool sends_only_;
  bool has_neighbors_;
  bool gathers_;
  int step_ = 0;
  kaon::gpu::Stream stream_;
  std::optional<kaon::gpu::Stream> edges_;  // for the outermost planes along x, where they go ahead
  kaon::gpu::Buffer<double> now_, next_;
  kaon::gpu::Buffer<double> changes_;
  kaon::gpu::Event paced_;  // an earlier place in the stream, to which the host does not run ahead too far
};

}  // namespace jacobi3d
