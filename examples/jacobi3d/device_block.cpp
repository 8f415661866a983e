// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/device_block.hpp"

#include <algorithm>
#include <utility>

namespace kaon::jacobi3d {
namespace {

constexpr int kPace = 8;  // iterations; the host gives the device work for at most twice as many ahead

constexpr std::size_t kLeastPointsOfMany = std::size_t{1} << 20;  // below, two more kernels cost more than they hide

constexpr std::size_t kPieceDoubles = std::size_t{1} << 23;  // of values on their way to the host: 64 MiB

}  // namespace

DeviceBlock::DeviceBlock(const Decomposition& cube, int streams, bool sends_only)
    : cube_(cube),
      sends_only_(sends_only),
      neighbors_(count_neighbors()),
      stream_(kaon::gpu::Stream::shared(choose_stream(streams))),
      now_(volume(cube.block_shape()), stream_),
      next_(volume(cube.block_shape()), stream_),
      changes_(kChanges, stream_) {
  stream_.fill(now_.span(), 0);  // bytes of a double that is 0
  if (has_edges_apart()) edges_.emplace(kaon::gpu::StreamPriority::high);
}

std::size_t DeviceBlock::choose_stream(int streams) const {
  const Triple block = place();
  return static_cast<std::size_t>((block[0] * cube_.blocks[1] + block[1]) * cube_.blocks[2] + block[2]) %
         static_cast<std::size_t>(streams);
}

int DeviceBlock::count_neighbors() const {
  return static_cast<int>(
      std::count_if(kFaces.begin(), kFaces.end(), [this](Face face) { return has_neighbor(face); }));
}

bool DeviceBlock::has_edges_apart() const {
  const int along_x = has_neighbor(Face::x_low) + has_neighbor(Face::x_high);
  const Triple shape = cube_.block_shape();
  return along_x > 0 && along_x == neighbors_ && shape[0] > 2 && volume(shape) >= kLeastPointsOfMany;
}

kaon::Task<double> DeviceBlock::run(int count) {
  for (const int stop = iteration_ + count; iteration_ < stop; ++iteration_) {
    Planes arrived;
    for (int missing = iteration_ > 0 ? neighbors_ : 0; missing > 0; --missing) {
      DeviceHalo halo = co_await halos.when(iteration_);  // faces in any order
      arrived[number(halo.face)] = std::move(halo.plane);
    }
    relax(std::move(arrived));
    if (iteration_ % kPace != 0) continue;
    co_await stream_.reached(paced_);
    paced_ = stream_.record();
  }
  co_return co_await read_change();
}

void DeviceBlock::relax(Planes arrived) {
  SweepKernel sweep = next_sweep();
  std::array<kaon::gpu::Buffer<double>, kFaces.size()> leaving;
  for (const Face face : kFaces) {
    const std::size_t f = number(face);
    if (!has_neighbor(face)) continue;
    // Before the first iteration all values are 0, the neighbor's like our own.
    sweep.in[f] = {arrived[f].view(sending_stream()).data(), 0.0};
    leaving[f] = kaon::gpu::Buffer<double>(plane_size(cube_.block_shape(), face), sending_stream());
    sweep.out[f] = leaving[f].data();
  }
  if (!sends_only_) launch(sweep);
  if (neighbors_ > 0) sending_stream().record();  // what neighbors wait for, whatever comes behind it
  std::swap(now_, next_);
  for (const Face face : kFaces)
    if (has_neighbor(face)) send(face, std::move(leaving[number(face)]));
}

// In the order of the streams: edges and middle of a step both come after edges and middle of the step before.
SweepKernel DeviceBlock::next_sweep() {
  if (edges_) stream_.wait(edges_->here());
  SweepKernel sweep;
  sweep.shape = points_of(cube_.block_shape());
  sweep.now = now_.data();
  sweep.next = next_.data();
  sweep.change = change_cell();
  if (edges_) edges_->wait(stream_.here());
  return sweep;
}

void DeviceBlock::launch(const SweepKernel& sweep) {
  const int end = sweep.shape.x;
  if (!edges_) return launch_planes(sweep, 0, end, stream_);
  launch_planes(sweep, 0, 1, *edges_);
  launch_planes(sweep, end - 1, end, *edges_);
  launch_planes(sweep, 1, end - 1, stream_);
}

void DeviceBlock::launch_planes(SweepKernel sweep, int first_x, int last_x, kaon::gpu::Stream& stream) const {
  sweep.first_x = first_x;
  sweep.last_x = last_x;
  stream.launch(sweep_grid({last_x - first_x, sweep.shape.y, sweep.shape.z}), sweep);
}

void DeviceBlock::send(Face face, kaon::gpu::Buffer<double> plane) {
  const Triple to = neighbor(place(), face);
  kaon::Payload payload(std::move(plane), sending_stream());
  array()[{to[0], to[1], to[2]}].send<&DeviceBlock::halos>(iteration_ + 1, opposite(face), std::move(payload));
}

double* DeviceBlock::change_cell() {
  const int cell = iteration_ % kChanges;
  if (cell == 0) stream_.fill(changes_.span(), 0);
  return changes_.data() + cell;
}

kaon::Task<double> DeviceBlock::read_change() {
  const auto last = static_cast<std::size_t>((iteration_ + kChanges - 1) % kChanges);
  if (edges_) stream_.wait(edges_->here());
  kaon::gpu::Pinned<double> change(1, stream_);
  stream_.copy(change, changes_.span().subspan(last, 1));
  co_await stream_.drained();
  co_return change[0];
}

kaon::Task<CompensatedSum> DeviceBlock::sum() {
  CompensatedSum sum;
  kaon::gpu::Pinned<double> piece(std::min(kPieceDoubles, now_.size()), stream_);
  for (std::size_t at = 0; at < now_.size(); at += piece.size()) {
    const std::size_t count = std::min(piece.size(), now_.size() - at);
    stream_.copy(piece, now_.span().subspan(at, count));
    co_await stream_.drained();
    sum.add(piece.span().first(count));
  }
  co_return sum;
}

kaon::Task<std::vector<double>> DeviceBlock::slice(int x) {
  const std::size_t plane = plane_size(cube_.block_shape(), Face::x_low);
  kaon::gpu::Pinned<double> values(plane, stream_);
  stream_.copy(values, now_.span().subspan(static_cast<std::size_t>(x) * plane, plane));
  co_await stream_.drained();
  co_return std::vector<double>(values.span().begin(), values.span().end());
}

}  // namespace kaon::jacobi3d
