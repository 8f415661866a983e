// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi3d/channel/channel_block.hpp"

#include <utility>

namespace jacobi3d {
namespace {

constexpr int kPace = 8;  // steps

}  // namespace

kaon::Task<int> ChannelBlock::connect() {
  int neighbors = 0;
  for (const Face face : kFaces) {
    if (!grid_.has_neighbor(face)) continue;
    auto& side = sides_[number(face)];
    side.emplace(grid_.plane(face), grid_.sending_stream(), kaon::gpu::DrivenBy::host);
    kaon::gpu::ChannelOffer offer = co_await side->offer();
    const Triple to = neighbor(place(), face);
    array()[{to[0], to[1], to[2]}].send<&ChannelBlock::offers>(FaceOffer{opposite(face), std::move(offer)});
    ++neighbors;
  }
  for (int missing = neighbors; missing > 0; --missing) {
    const FaceOffer theirs = co_await offers.next();
    sides_[number(theirs.face)]->connect(theirs.offer);
  }
  co_return neighbors;
}

kaon::Task<double> ChannelBlock::run(int count) {
  for (const int stop = step_ + count; step_ < stop; ++step_) {
    for (auto& side : sides_)
      if (side) co_await side->ready(grid_.sending_stream(), static_cast<std::uint32_t>(step_));
    relax();
    if (step_ % kPace == 0) co_await grid_.keep_pace();
  }
  co_return co_await grid_.change();
}

// A step reads the round of its number, the first one zeros, and writes the next.
void ChannelBlock::relax() {
  const auto round = static_cast<std::uint32_t>(step_);
  SweepKernel sweep = grid_.next_sweep();
  for (const Face face : kFaces) {
    const std::size_t f = number(face);
    if (!sides_[f]) continue;
    const kaon::gpu::ChannelEnd<double> end = sides_[f]->end();
    sweep.in[f] = {end.in(round), 0.0};
    sweep.out[f] = end.out(round + 1);
  }
  grid_.relax(sweep);
  for (auto& side : sides_)
    if (side) side->raise(grid_.sending_stream());
}

kaon::Task<CompensatedSum> ChannelBlock::sum() { co_return co_await grid_.sum(); }

kaon::Task<std::vector<double>> ChannelBlock::slice(int x) { co_return co_await grid_.slice(x); }

}  // namespace jacobi3d
