// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <limits>
#include <memory>

#include "kaon/gpu/device/device.hpp"
#include "kaon/gpu/kernels/gathered.hpp"

namespace kaon::gpu {

/// Kernels of one type, with equal blocks, that several have given to a stream: on their way to one launch.
template <class Kernel>
class GatheredLaunch final : public HeldLaunch {
 public:
  explicit GatheredLaunch(Backend backend) : backend_(backend) {}

  /// That of a stream which now holds back kernels of this type alone, and has room for one more on this grid.
  static GatheredLaunch& with_room(Device& device, StreamState& stream, const Grid& grid) {
    if (stream.held == nullptr) stream.held = std::make_unique<HeldWork>();
    GatheredLaunch& own = find(*stream.held, device.driver().backend());
    if (stream.held->current != &own || !own.takes(grid)) device.held().launch(stream);
    if (!stream.is_holding()) device.held().hold(stream, own);
    return own;
  }

  bool is_full() const { return kernels_.count == kernels_.kMost; }
  unsigned count() const override { return kernels_.count; }
  void add(const Grid& grid, const Kernel& kernel) {
    const auto blocks = static_cast<unsigned>(grid.blocks.volume());
    if (kernels_.count == 0) {
      block_ = grid;
      kernels_.blocks_of_each = blocks;
    }
    if (kernels_.blocks_of_each != blocks) kernels_.blocks_of_each = 0;
    kernels_.kernels[kernels_.count++] = {kernel, grid.blocks, blocks_};
    blocks_ += blocks;
  }

  void launch(NativeStream stream) override {
    const unsigned count = kernels_.count;
    const Empty afterwards{*this};
    const GatheredKernel<Kernel>& first = kernels_.kernels[0];
    if (count == 1)
      gpu::launch(backend_, stream, {first.blocks, block_.threads, block_.shared_bytes}, first.kernel);
    else
      launch_gathered<Kernel>(backend_, stream, block_, kernels_);
  }

 private:
  static constexpr std::size_t kMostBlocks = std::numeric_limits<int>::max();  // of a grid along x
  struct Empty {
    GatheredLaunch& self;
    ~Empty() { self.kernels_.count = self.blocks_ = 0; }
  };

  static GatheredLaunch& find(HeldWork& held, Backend backend) {
    for (const auto& launch : held.launches)
      if (launch->type() == &kType) return static_cast<GatheredLaunch&>(*launch);
    return static_cast<GatheredLaunch&>(*held.launches.emplace_back(std::make_unique<GatheredLaunch>(backend)));
  }
  const void* type() const override { return &kType; }

  bool takes(const Grid& grid) const {
    if (kernels_.count == 0) return true;
    const auto is_like = [](const Extent& one, const Extent& other) {
      return one.x == other.x && one.y == other.y && one.z == other.z;
    };
    return !is_full() && is_like(grid.threads, block_.threads) && grid.shared_bytes == block_.shared_bytes &&
           blocks_ + grid.blocks.volume() <= kMostBlocks;
  }

  static constexpr char kType = 0;  // its address
  Backend backend_;
  Grid block_;           // threads and shared memory of each block
  unsigned blocks_ = 0;  // of all kernels
  ManyGathered<Kernel> kernels_{};
};

}  // namespace kaon::gpu
