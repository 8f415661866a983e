// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "examples/jacobi3d/points.hpp"
#include "examples/jacobi3d/resident/relax.kernels.hpp"

namespace jacobi3d {

// A neighbor's end of the channel at a face, and what else he has for those beside him.
struct SideOffer {
  Face face;  // of the receiver
  kaon::gpu::ChannelOffer offer;
  kaon::gpu::SegmentRange done;  // the flag that each of his parts raises once a step
  std::uint32_t parts, edge_parts;
};

// A part of the cube that its device relaxes by itself: steps are entries of a resident kernel, which wait for flags of
// the parts beside them, and planes go where neighbors read them, on this device or another one. The host begins a run
// of steps and hears of its end.
class ResidentBlock : public kaon::Chare<ResidentBlock> {
 public:
  explicit ResidentBlock(const Options& options);

  kaon::Inbox<SideOffer> offers;

  // Before the first run. Returns how many thread blocks the device gives to the block.
  kaon::Task<unsigned> connect();
  // Relaxes `count` times; returns the largest change of the last time in this block.
  kaon::Task<double> run(int count);

  // Between runs:
  kaon::Task<CompensatedSum> sum();
  kaon::Task<std::vector<double>> slice(int x);

 private:
  using Relaxing = kaon::gpu::Resident<BlockEntries>;

  Triple place() const { return {index().x, index().y, index().z}; }
  bool has_neighbor(Face face) const { return cube_.contains(neighbor(place(), face)); }
  std::size_t points() const { return volume(cube_.block_shape()); }
  kaon::gpu::Span<double> now() const { return values_.span().subspan(step_ % 2 * points(), points()); }
  Parts parts() const;
  void connect_side(const SideOffer& side, ResidentPoints& points);
  void describe(ResidentPoints& points) const;
  void leave_to_entries();

  Decomposition cube_;
  int on_a_pe_;
  std::shared_ptr<Relaxing> relaxing_;
  std::uint32_t parts_;
  int step_ = 0;
  int runs_ = 0;
  kaon::gpu::Stream stream_;
  kaon::gpu::Buffer<double> values_;   // twice, by the parity of the step
  kaon::gpu::Buffer<double> changes_;  // by the parity of the run; behind them the value beyond the cube
  kaon::gpu::Buffer<std::uint32_t> done_;
  std::array<std::optional<kaon::gpu::Channel<double>>, kFaces.size()> sides_;
  std::array<kaon::gpu::AwaitedFlag, kFaces.size()> awaited_;
  kaon::gpu::DeviceObject<ResidentPoints> on_device_;
};

}  // namespace jacobi3d
