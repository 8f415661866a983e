// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/resident/resident_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "examples/jacobi3d/device/device_values.hpp"

namespace jacobi3d {
namespace {

constexpr unsigned kThreads = Relax::kMostThreads;  // of a worker
constexpr int kWarps = kThreads / Cut::kWidth;
constexpr std::size_t kBoundary = 2;  // its place behind the changes

using BlockScheduler = kaon::gpu::Resident<BlockEntries>;

std::shared_ptr<BlockScheduler> shared_scheduler() {
  return BlockScheduler::shared({.workers = BlockScheduler::most_workers(kThreads), .threads = kThreads});
}

}  // namespace

ResidentBlock::ResidentBlock(const Options& options)
    : cube_(options.decomposition),
      on_a_pe_(options.blocks_of_pe),
      relaxing_(shared_scheduler()),
      parts_(std::max(1U, relaxing_->options().workers / static_cast<unsigned>(on_a_pe_))),
      values_(2 * points(), stream_),
      changes_(kBoundary + 1, stream_),
      done_(1, stream_) {
  const std::size_t most = std::size_t{kaon::gpu::AwaitingTasks<false>::kMost} * relaxing_->options().workers;
  if (static_cast<std::size_t>(on_a_pe_) > most)
    throw kaon::UsageError(fmt::format(
        "--blocks gives {} blocks to a PE whose device runs at most {} of them: give fewer, larger blocks, or more PEs",
        on_a_pe_, most));
  stream_.fill(values_.span(), 0);  // bytes of a double that is 0
  stream_.fill(changes_.span(), 0);
  stream_.fill(done_.span(), 0);
}

kaon::Task<unsigned> ResidentBlock::connect() {
  const kaon::gpu::SegmentRange done = kaon::gpu::share_segment(done_);
  int missing = 0;
  for (const Face face : kFaces) {
    if (!has_neighbor(face)) continue;
    auto& side = sides_[number(face)];
    side.emplace(plane_size(cube_.block_shape(), face), stream_);
    const Triple to = neighbor(place(), face);
    kaon::gpu::ChannelOffer offer = co_await side->offer();
    array()[{to[0], to[1], to[2]}].send<&ResidentBlock::offers>(
        SideOffer{opposite(face), std::move(offer), done, parts_,
                  static_cast<std::uint32_t>(parts_of_edge(cube_.block_shape(), parts()))});
    ++missing;
  }
  ResidentPoints points{};
  for (; missing > 0; --missing) connect_side(co_await offers.next(), points);
  describe(points);
  const kaon::gpu::Pinned<double> boundary(1, stream_);
  boundary[0] = 1;
  stream_.copy(changes_.span().subspan(kBoundary, 1), boundary);
  co_await stream_.drained();
  leave_to_entries();
  on_device_ = co_await relaxing_->make_gang(parts_, points);
  co_return parts_;
}

// A neighbor on this device tells all by one flag; one on another raises a flag of ours, at an edge by few parts.
void ResidentBlock::connect_side(const SideOffer& side, ResidentPoints& points) {
  const std::size_t f = number(side.face);
  sides_[f]->connect(side.offer);
  const kaon::gpu::ChannelEnd<double> end = sides_[f]->end();
  Side& here = points.sides[f];
  for (std::uint32_t parity = 0; parity < 2; ++parity)
    here.in[parity] = end.in(parity), here.out[parity] = end.out(parity);
  here.row = plane_columns(cube_.block_shape(), side.face);
  here.point = 1;
  awaited_[f] = sides_[f]->awaited();
  if (end.scope == kaon::gpu::Scope::system) {
    here.far = end.partner_arrived;
    awaited_[f].each = f < 2 ? side.edge_parts : side.parts;
  } else {
    awaited_[f].flag.word = kaon::gpu::open_segment<std::uint32_t>(side.done).data();
    awaited_[f].each = side.parts;
  }
}

void ResidentBlock::describe(ResidentPoints& points) const {
  const Triple shape = cube_.block_shape();
  points.shape = extents_of(shape);
  points.cut = best_cut(shape, parts(), {points.sides[0].is_far(), points.sides[1].is_far()});
  for (std::size_t parity = 0; parity < 2; ++parity) points.values[parity] = values_.data() + parity * this->points();
  for (const Face face : kFaces)
    if (!has_neighbor(face))
      for (const double*& in : points.sides[number(face)].in) in = changes_.data() + kBoundary;
  points.done = {done_.data()};
  for (unsigned edges = 0; edges < 4; ++edges) {
    std::uint32_t& count = points.before_count[edges];
    points.before[edges][count++] = {points.done, parts_, kaon::gpu::Scope::device};
    for (unsigned f = 0; f < kFaces.size(); ++f) {
      const bool is_edge = f < 2 && points.sides[f].is_far();
      if (sides_[f] && (!is_edge || (edges >> f & 1) != 0)) points.before[edges][count++] = awaited_[f];
    }
  }
}

// From now on their kernel is the one that uses all this, to the end.
void ResidentBlock::leave_to_entries() {
  kaon::gpu::Stream& stream = relaxing_->stream();
  values_.move_to(stream);
  changes_.move_to(stream);
  done_.move_to(stream);
  for (auto& side : sides_)
    if (side) side->move_to(stream);
}

Parts ResidentBlock::parts() const {
  constexpr std::size_t kCache = std::size_t{40} << 20;  // bytes, of the devices that this is for
  const std::size_t bytes = 2 * sizeof(double) * points() * static_cast<std::size_t>(on_a_pe_);
  return {static_cast<int>(parts_), kWarps, bytes < kCache};
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
