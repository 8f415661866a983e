// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <typeinfo>

#include "kaon/gpu/error.hpp"
#include "kaon/gpu/kernels/kernel.hpp"

namespace kaon::gpu {

/// What a kernel sees in the emulation: a grid whose blocks have one thread each and run one after another.
class HostContext {
 public:
  HostContext(const Extent& blocks, const Extent& block) : blocks_(blocks), block_(block) {}

  std::size_t index() const { return (std::size_t{block_.z} * blocks_.y + block_.y) * blocks_.x + block_.x; }
  std::size_t stride() const { return blocks_.volume(); }
  Extent block() const { return block_; }
  Extent blocks() const { return blocks_; }
  Extent thread() const { return {0, 0, 0}; }
  Extent threads() const { return {1, 1, 1}; }
  bool is_first() const { return true; }

  void sync() {}
  double reduce_max(double value) { return value; }
  template <class T>
  void add_into(T* cell, T value) {
    std::atomic_ref<T>(*cell).fetch_add(value, std::memory_order_relaxed);
  }
  /// Kernels of other streams may raise the same cell. Relaxed: whoever reads it waits for the kernel.
  void max_into(double* cell, double value) {
    const std::atomic_ref<double> shared(*cell);
    double seen = shared.load(std::memory_order_relaxed);
    while (seen < value && !shared.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
    }
  }

 private:
  Extent blocks_;
  Extent block_;
};

template <class Kernel>
void run_blocks(const Kernel& kernel, const Extent& blocks) {
  Extent block{0, 0, 0};
  for (block.z = 0; block.z < blocks.z; ++block.z) {
    for (block.y = 0; block.y < blocks.y; ++block.y) {
      for (block.x = 0; block.x < blocks.x; ++block.x) {
        HostContext at(blocks, block);
        kernel(at);
      }
    }
  }
}

template <class Kernel>
void launch_on_host(NativeStream stream, const Grid& grid, const Kernel& kernel) {
  check_grid(grid, typeid(Kernel).name(), most_threads<Kernel>());
  enqueue_on_host(stream, [kernel, blocks = grid.blocks] { run_blocks(kernel, blocks); });
}

}  // namespace kaon::gpu
