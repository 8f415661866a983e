// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/resident/resident_block.hpp"

#include <algorithm>
#include <utility>

#include "examples/jacobi3d/device/device_values.hpp"

namespace jacobi3d {
namespace {

constexpr unsigned kThreads = 512;    // of a worker
constexpr std::size_t kBoundary = 2;  // its place behind the changes

using BlockScheduler = kaon::gpu::Resident<BlockEntries>;

std::shared_ptr<BlockScheduler> shared_scheduler() {
  return BlockScheduler::shared({.workers = BlockScheduler::most_workers(kThreads), .threads = kThreads});
}

}  // namespace

ResidentBlock::ResidentBlock(const Options& options, int on_a_pe)
    : cube_(options.decomposition),
      relaxing_(shared_scheduler()),
      parts_(std::max(1U, relaxing_->options().workers / static_cast<unsigned>(on_a_pe))),
      planes_(planes_of_item(cube_.block_shape(), parts_, kThreads / Items::kWidth)),
      values_(2 * points(), stream_),
      changes_(kBoundary + 1, stream_),
      done_(1, stream_),
      flags_(4 * kMostFlags, stream_) {
  items_ = Items(extents_of(cube_.block_shape()), planes_);
  stream_.fill(values_.span(), 0);  // bytes of a double that is 0
  stream_.fill(changes_.span(), 0);
  stream_.fill(done_.span(), 0);
}

kaon::Task<unsigned> ResidentBlock::connect() {
  int missing = 0;
  for (const Face face : kFaces) {
    if (!has_neighbor(face)) continue;
    auto& side = sides_[number(face)];
    side.emplace(plane_size(cube_.block_shape(), face), stream_, parts_at(items_, parts_, face));
    const Triple to = neighbor(place(), face);
    kaon::gpu::ChannelOffer offer = co_await side->offer();
    array()[{to[0], to[1], to[2]}].send<&ResidentBlock::offers>(SideOffer{opposite(face), std::move(offer)});
    ++missing;
  }
  for (; missing > 0; --missing) {
    const SideOffer offer = co_await offers.next();
    sides_[number(offer.face)]->connect(offer.offer);
  }
  const kaon::gpu::Pinned<kaon::gpu::AwaitedFlag> flags(flags_.size(), stream_);
  const kaon::gpu::Pinned<double> boundary(1, stream_);
  ResidentPoints points = points_on_device();
  write_flags(flags.span(), points);
  boundary[0] = 1;
  stream_.copy(flags_.span(), flags);
  stream_.copy(changes_.span().subspan(kBoundary, 1), boundary);
  co_await stream_.drained();
  leave_to_entries();
  on_device_ = co_await relaxing_->make_gang(parts_, points);
  co_return parts_;
}

ResidentPoints ResidentBlock::points_on_device() const {
  ResidentPoints points{};
  points.shape = extents_of(cube_.block_shape());
  points.planes = planes_;
  for (std::size_t parity = 0; parity < 2; ++parity) points.values[parity] = values_.data() + parity * this->points();
  points.boundary = changes_.data() + kBoundary;
  for (const Face face : kFaces)
    if (has_neighbor(face)) points.sides[number(face)] = sides_[number(face)]->end();
  points.done = {done_.data()};
  return points;
}

// A part waits for all of its own block, and for neighbors at the faces that it touches.
void ResidentBlock::write_flags(std::span<kaon::gpu::AwaitedFlag> flags, ResidentPoints& points) const {
  for (unsigned ends = 0; ends < 4; ++ends) {
    const std::size_t first = ends * kMostFlags;
    std::uint32_t count = 0;
    flags[first + count++] = {points.done, parts_, kaon::gpu::Scope::device};
    for (const Face face : kFaces) {
      const std::size_t f = number(face);
      if (has_neighbor(face) && (f > 1 || (ends >> f & 1) != 0)) flags[first + count++] = sides_[f]->awaited();
    }
    points.before[ends] = {flags_.data() + first, count};
  }
}

// From now on their kernel is the one that uses all this, to the end.
void ResidentBlock::leave_to_entries() {
  kaon::gpu::Stream& stream = relaxing_->stream();
  values_.move_to(stream);
  changes_.move_to(stream);
  done_.move_to(stream);
  flags_.move_to(stream);
  for (auto& side : sides_)
    if (side) side->move_to(stream);
}

kaon::Task<double> ResidentBlock::run(int count) {
  const std::size_t own = static_cast<std::size_t>(runs_++ % 2);
  double* const changes = changes_.data();
  co_await relaxing_->call(on_device_, BeginRelax{step_, step_ + count, changes + own, changes + (1 - own)});
  step_ += count;
  const std::vector<double> change = co_await copy_of(changes_.span().subspan(own, 1), stream_);
  co_return change[0];
}

kaon::Task<CompensatedSum> ResidentBlock::sum() { return sum_of(now(), stream_); }

kaon::Task<std::vector<double>> ResidentBlock::slice(int x) {
  const std::size_t plane = plane_size(cube_.block_shape(), Face::x_low);
  return copy_of(now().subspan(static_cast<std::size_t>(x) * plane, plane), stream_);
}

}  // namespace jacobi3d
