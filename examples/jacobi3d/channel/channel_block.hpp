// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "examples/jacobi3d/device/device_grid.hpp"

namespace jacobi3d {

// A neighbor's end of the channel at a face.
struct FaceOffer {
  Face face;  // of the receiver
  kaon::gpu::ChannelOffer offer;
};

// A part of the cube whose steps its host launches, like those of a Block on a device. But no halo is sent: the kernel
// of a step writes its planes where the neighbors' kernels read them, and rounds of channels say when they are there.
class ChannelBlock : public kaon::Chare<ChannelBlock> {
 public:
  explicit ChannelBlock(const Options& options) : grid_(options, place()) {}

  kaon::Inbox<FaceOffer> offers;

  // Before the first run. Returns how many neighbors the block has.
  kaon::Task<int> connect();
  // Relaxes `count` times; returns the largest change of the last time in this block.
  kaon::Task<double> run(int count);

  // Between runs:
  kaon::Task<CompensatedSum> sum();
  kaon::Task<std::vector<double>> slice(int x);

 private:
  Triple place() const { return {index().x, index().y, index().z}; }
  void relax();

  DeviceGrid grid_;
  int step_ = 0;
  std::array<std::optional<kaon::gpu::Channel<double>>, kFaces.size()> sides_;
};

}  // namespace jacobi3d
