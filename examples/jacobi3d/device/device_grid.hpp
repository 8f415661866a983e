// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "examples/jacobi3d/device/sweep.kernels.hpp"
#include "examples/jacobi3d/support/options.hpp"
#include "examples/jacobi3d/support/summary.hpp"

namespace jacobi3d {

// The points of a block in the memory of a PE's device, whose steps the host launches. A large block with neighbors
// along x alone computes its outermost planes first, on a stream of their own: they travel while the planes between
// them are computed. Other blocks of a PE that are ready together share a launch.
class DeviceGrid {
 public:
  // The blocks of a PE share some streams: kernels on different ones overlap. Those that share launches share one.
  DeviceGrid(const Options& options, const Triple& block);

  bool has_neighbor(Face face) const { return has_neighbor_[number(face)]; }
  std::size_t plane(Face face) const { return plane_size(cube_.block_shape(), face); }
  // That on which the neighbors' planes are read and the own ones written.
  kaon::gpu::Stream& sending_stream() { return edges_ ? *edges_ : stream_; }
  kaon::gpu::Stream& stream() { return stream_; }
  bool gathers() const { return gathers_; }
  // All blocks of the PE in one list.
  bool shares_one_list() const { return gathers_ && together_ > 1 && !has_layers(); }

  // A step, whose planes are still to be named; and then that step.
  SweepKernel next_sweep();
  void relax(const SweepKernel& sweep);

  // The host runs ahead: waits until the device is at most two of these calls behind. Blocks that share launches wait
  // at every second call until it is done: those that have drifted apart stand at the same step then, and go on
  // together. Else each would go on when its own kernel ends, alone in its next launch, and so stay apart.
  kaon::Task<> keep_pace();
  kaon::Task<double> change();  // the largest of any point in the last step
  kaon::Task<CompensatedSum> sum();
  kaon::Task<std::vector<double>> slice(int x);

 private:
  static constexpr int kChanges = 1024;  // cells for the changes of so many steps; clearing them ends a gathered launch

  static constexpr int kCallsAhead = 2;

  bool shares_launches(Launches launches) const;
  bool has_layers() const;
  std::size_t choose_stream(const Options& options) const;
  bool has_edges_apart() const;
  void launch_planes(SweepKernel sweep, int first_x, int last_x, kaon::gpu::Stream& stream) const;
  double* change_cell();

  Decomposition cube_;
  Triple block_;
  std::array<bool, kFaces.size()> has_neighbor_{};  // by Face: asked for at each step
  bool sends_only_;
  bool gathers_;
  int together_;  // sweeps that run at a time
  int step_ = 0;
  kaon::gpu::Stream stream_;
  std::optional<kaon::gpu::Stream> edges_;  // for the outermost planes along x, where they go ahead
  kaon::gpu::Buffer<double> now_, next_;
  kaon::gpu::Buffer<double> changes_;
  int calls_ = 0;           // of keep_pace()
  kaon::gpu::Event paced_;  // an earlier place in the stream, to which the host does not run ahead too far
};

}  // namespace jacobi3d
