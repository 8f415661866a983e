// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/device/device_grid.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "examples/jacobi3d/device/device_values.hpp"

namespace jacobi3d {
namespace {

// Above, a kernel takes so long that others had better begin when it ends than wait for a launch of all.
constexpr std::size_t kMostPointsGathered = std::size_t{1} << 20;
// Below, what launches and waits take of the host counts for more than a device that is not full when a launch ends.
constexpr std::size_t kLeastPointsOfLayers = std::size_t{1} << 19;
constexpr std::size_t kLeastPointsOfMany = std::size_t{1} << 20;  // below, two more kernels cost more than they hide

std::array<bool, kFaces.size()> neighbors_of(const Decomposition& cube, const Triple& block) {
  std::array<bool, kFaces.size()> has{};
  for (const Face face : kFaces) has[number(face)] = cube.contains(neighbor(block, face));
  return has;
}

}  // namespace

DeviceGrid::DeviceGrid(const Options& options, const Triple& block)
    : cube_(options.decomposition),
      block_(block),
      has_neighbor_(neighbors_of(cube_, block_)),
      sends_only_(options.sends_only),
      gathers_(shares_launches(options.launches) && !has_edges_apart()),
      together_(gathers_ ? options.blocks_of_pe : std::min(options.blocks_of_pe, options.streams)),
      stream_(kaon::gpu::Stream::shared(choose_stream(options))),
      now_(volume(cube_.block_shape()), stream_),
      next_(volume(cube_.block_shape()), stream_),
      changes_(kChanges, stream_) {
  stream_.fill(now_.span(), 0);  // bytes of a double that is 0
  stream_.fill(changes_.span(), 0);
  if (has_edges_apart()) edges_.emplace(kaon::gpu::StreamPriority::high);
}

bool DeviceGrid::shares_launches(Launches launches) const {
  if (launches != Launches::by_size) return launches == Launches::gathered;
  return volume(cube_.block_shape()) <= kMostPointsGathered;
}

// Launches that are shared are so by neighbors: then a layer of blocks waits for the two beside it, while the others
// run.
std::size_t DeviceGrid::choose_stream(const Options& options) const {
  const int number = (block_[0] * cube_.blocks[1] + block_[1]) * cube_.blocks[2] + block_[2];
  if (!gathers_) return static_cast<std::size_t>(number % options.streams);
  return static_cast<std::size_t>(has_layers() ? number % options.blocks_of_pe * options.streams / options.blocks_of_pe
                                               : 0);
}

bool DeviceGrid::has_layers() const { return volume(cube_.block_shape()) >= kLeastPointsOfLayers; }

bool DeviceGrid::has_edges_apart() const {
  const auto neighbors = std::count_if(kFaces.begin(), kFaces.end(), [this](Face face) { return has_neighbor(face); });
  const int along_x = has_neighbor(Face::x_low) + has_neighbor(Face::x_high);
  const Triple shape = cube_.block_shape();
  return along_x > 0 && along_x == neighbors && shape[0] > 2 && volume(shape) >= kLeastPointsOfMany;
}

// In the order of the streams: edges and middle of a step both come after edges and middle of the step before.
SweepKernel DeviceGrid::next_sweep() {
  if (edges_) stream_.wait(edges_->here());
  SweepKernel sweep;
  sweep.shape = extents_of(cube_.block_shape());
  sweep.now = now_.data();
  sweep.next = next_.data();
  sweep.change = change_cell();
  if (edges_) edges_->wait(stream_.here());
  return sweep;
}

void DeviceGrid::relax(const SweepKernel& sweep) {
  const int end = sweep.shape.x;
  if (!sends_only_ && !edges_) launch_planes(sweep, 0, end, stream_);
  if (!sends_only_ && edges_) {
    launch_planes(sweep, 0, 1, *edges_);
    launch_planes(sweep, end - 1, end, *edges_);
    launch_planes(sweep, 1, end - 1, stream_);
  }
  std::swap(now_, next_);
  ++step_;
}

void DeviceGrid::launch_planes(SweepKernel sweep, int first_x, int last_x, kaon::gpu::Stream& stream) const {
  sweep.first_x = first_x;
  sweep.last_x = last_x;
  const kaon::gpu::Grid grid = sweep_grid({last_x - first_x, sweep.shape.y, sweep.shape.z}, together_);
  if (gathers_)
    stream.gather(grid, sweep);
  else
    stream.launch(grid, sweep);
}

double* DeviceGrid::change_cell() {
  const int cell = step_ % kChanges;
  if (cell == 0 && step_ > 0) stream_.fill(changes_.span(), 0);
  return changes_.data() + cell;
}

kaon::Task<> DeviceGrid::keep_pace() {
  if (gathers_) {
    if (++calls_ % kCallsAhead == 0) co_await stream_.drained();
    co_return;
  }
  co_await stream_.reached(paced_);
  paced_ = stream_.record();
}

kaon::Task<double> DeviceGrid::change() {
  const auto last = static_cast<std::size_t>((step_ + kChanges - 1) % kChanges);
  if (edges_) stream_.wait(edges_->here());
  kaon::gpu::Pinned<double> change(1, stream_);
  stream_.copy(change, changes_.span().subspan(last, 1));
  co_await stream_.drained();
  co_return change[0];
}

kaon::Task<CompensatedSum> DeviceGrid::sum() { return sum_of(now_.span(), stream_); }

kaon::Task<std::vector<double>> DeviceGrid::slice(int x) {
  const std::size_t points = plane(Face::x_low);
  return copy_of(now_.span().subspan(static_cast<std::size_t>(x) * points, points), stream_);
}

}  // namespace jacobi3d
