// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/device/device_points.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "examples/jacobi3d/device/device_values.hpp"

namespace jacobi3d {
namespace {

// Above, a kernel takes so long that others had better begin when it ends than wait for a launch of all.
constexpr std::size_t kMostPointsGathered = std::size_t{1} << 19;
constexpr std::size_t kLeastPointsOfMany = std::size_t{1} << 20;  // below, two more kernels cost more than they hide

}  // namespace

DevicePoints::DevicePoints(const Options& options, const Triple& block)
    : cube_(options.decomposition),
      block_(block),
      sends_only_(options.sends_only),
      has_neighbors_(count_neighbors() > 0),
      gathers_(gathers(options.launches) && !has_edges_apart()),
      stream_(kaon::gpu::Stream::shared(choose_stream(options))),
      now_(volume(cube_.block_shape()), stream_),
      next_(volume(cube_.block_shape()), stream_),
      changes_(kChanges, stream_) {
  stream_.fill(now_.span(), 0);  // bytes of a double that is 0
  stream_.fill(changes_.span(), 0);
  if (has_edges_apart()) edges_.emplace(kaon::gpu::StreamPriority::high);
}

bool DevicePoints::gathers(Launches launches) const {
  if (launches != Launches::by_size) return launches == Launches::gathered;
  return volume(cube_.block_shape()) <= kMostPointsGathered;
}

std::size_t DevicePoints::choose_stream(const Options& options) const {
  if (gathers_) return 0;
  return static_cast<std::size_t>((block_[0] * cube_.blocks[1] + block_[1]) * cube_.blocks[2] + block_[2]) %
         static_cast<std::size_t>(options.streams);
}

int DevicePoints::count_neighbors() const {
  return static_cast<int>(
      std::count_if(kFaces.begin(), kFaces.end(), [this](Face face) { return has_neighbor(face); }));
}

bool DevicePoints::has_edges_apart() const {
  const int along_x = has_neighbor(Face::x_low) + has_neighbor(Face::x_high);
  const Triple shape = cube_.block_shape();
  return along_x > 0 && along_x == count_neighbors() && shape[0] > 2 && volume(shape) >= kLeastPointsOfMany;
}

Planes DevicePoints::relax(Planes outside) {
  SweepKernel sweep = next_sweep();
  kaon::gpu::Stream& sending = sending_stream();
  std::array<kaon::gpu::Buffer<double>, kFaces.size()> leaving;
  for (const Face face : kFaces) {
    const std::size_t f = number(face);
    if (!has_neighbor(face)) continue;
    // Before the first step all values are 0, the neighbor's like our own.
    sweep.in[f] = {outside[f].view(sending).data(), 0.0};
    leaving[f] = kaon::gpu::Buffer<double>(plane_size(cube_.block_shape(), face), sending);
    sweep.out[f] = leaving[f].data();
  }
  if (!sends_only_) launch(sweep);
  if (has_neighbors_ && !gathers_) sending.record();  // what neighbors wait for, whatever comes behind it
  std::swap(now_, next_);
  ++step_;
  Planes inside;
  for (const Face face : kFaces)
    if (has_neighbor(face)) inside[number(face)] = kaon::Payload(std::move(leaving[number(face)]), sending);
  return inside;
}

kaon::Task<> DevicePoints::keep_pace() {
  co_await stream_.reached(paced_);
  paced_ = stream_.record();
}

// In the order of the streams: edges and middle of a step both come after edges and middle of the step before.
SweepKernel DevicePoints::next_sweep() {
  if (edges_) stream_.wait(edges_->here());
  SweepKernel sweep;
  sweep.shape = extents_of(cube_.block_shape());
  sweep.now = now_.data();
  sweep.next = next_.data();
  sweep.change = change_cell();
  if (edges_) edges_->wait(stream_.here());
  return sweep;
}

void DevicePoints::launch(const SweepKernel& sweep) {
  const int end = sweep.shape.x;
  if (!edges_) return launch_planes(sweep, 0, end, stream_);
  launch_planes(sweep, 0, 1, *edges_);
  launch_planes(sweep, end - 1, end, *edges_);
  launch_planes(sweep, 1, end - 1, stream_);
}

void DevicePoints::launch_planes(SweepKernel sweep, int first_x, int last_x, kaon::gpu::Stream& stream) const {
  sweep.first_x = first_x;
  sweep.last_x = last_x;
  const kaon::gpu::Grid grid = sweep_grid({last_x - first_x, sweep.shape.y, sweep.shape.z});
  if (gathers_)
    stream.gather(grid, sweep);
  else
    stream.launch(grid, sweep);
}

double* DevicePoints::change_cell() {
  const int cell = step_ % kChanges;
  if (cell == 0 && step_ > 0) stream_.fill(changes_.span(), 0);
  return changes_.data() + cell;
}

kaon::Task<double> DevicePoints::change() {
  const auto last = static_cast<std::size_t>((step_ + kChanges - 1) % kChanges);
  if (edges_) stream_.wait(edges_->here());
  kaon::gpu::Pinned<double> change(1, stream_);
  stream_.copy(change, changes_.span().subspan(last, 1));
  co_await stream_.drained();
  co_return change[0];
}

kaon::Task<CompensatedSum> DevicePoints::sum() { return sum_of(now_.span(), stream_); }

kaon::Task<std::vector<double>> DevicePoints::slice(int x) {
  const std::size_t plane = plane_size(cube_.block_shape(), Face::x_low);
  return copy_of(now_.span().subspan(static_cast<std::size_t>(x) * plane, plane), stream_);
}

}  // namespace jacobi3d
