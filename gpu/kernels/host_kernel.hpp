// SPDX-License-Identifier: Apache-2.0
#pragma once
// How the emulation runs a kernel: with one thread a block and a block at a time, unless the kernel needs more.
#include <cstddef>
#include <cstring>
#include <deque>
#include <memory>
#include <new>

#include "kaon/gpu/backends/host_queue.hpp"
#include "kaon/gpu/kernels/host_context.hpp"
#include "kaon/gpu/kernels/kernel.hpp"

namespace kaon::gpu {

/// Calls `function(block)` for each block of the grid.
template <class Function>
void for_each_block(const Extent& blocks, Function function) {
  Extent block{0, 0, 0};
  for (block.z = 0; block.z < blocks.z; ++block.z)
    for (block.y = 0; block.y < blocks.y; ++block.y)
      for (block.x = 0; block.x < blocks.x; ++block.x) function(block);
}

/// The memory that the threads of a block share. Each block finds it poisoned.
template <class Kernel>
class HostShared {
 public:
  explicit HostShared(std::size_t dynamic_bytes) : bytes_(dynamic_bytes) {
    if (bytes_ > 0) dynamic_ = ::operator new(bytes_, kAlignment);
    poison();
  }
  HostShared(const HostShared&) = delete;
  HostShared& operator=(const HostShared&) = delete;
  ~HostShared() { ::operator delete(dynamic_, kAlignment); }

  void poison() {
    if constexpr (!std::is_same_v<SharedOf<Kernel>, NothingShared>) std::memset(&declared_, kPoison, sizeof declared_);
    if (bytes_ > 0) std::memset(dynamic_, kPoison, bytes_);
  }
  SharedOf<Kernel>& declared() { return declared_; }
  void* dynamic() { return dynamic_; }

 private:
  static constexpr std::align_val_t kAlignment{16};
  SharedOf<Kernel> declared_;
  std::size_t bytes_;
  void* dynamic_ = nullptr;
};

template <class Kernel>
void run_blocks(const Kernel& kernel, const Grid& grid) {
  HostShared<Kernel> shared(grid.shared_bytes);
  for_each_block(grid.blocks, [&](const Extent& block) {
    shared.poison();
    HostContext at(grid.blocks, block, shared.dynamic());
    run_body(kernel, at, shared.declared());
  });
}

/// A block, all of whose threads are run.
template <class Kernel>
struct HostBlockRun {
  HostBlockRun(const Kernel& what, HostFibres& fibres, const Grid& grid, const Extent& place, HostBarrier* whole_grid)
      : kernel(what), shared(grid.shared_bytes), block(fibres, grid, place, whole_grid, shared.dynamic()) {}

  void run_thread(std::size_t number) {
    HostThread at(block, number);
    run_body(kernel, at, shared.declared());
    block.leave();
  }

  const Kernel& kernel;
  HostShared<Kernel> shared;
  HostBlock block;
};

template <class Kernel>
void run_threads(const Kernel& kernel, HostFibres& fibres, const Grid& grid) {
  using Run = HostBlockRun<Kernel>;
  for_each_block(grid.blocks, [&](const Extent& place) {
    Run run(kernel, fibres, grid, place, nullptr);
    const auto thread = [](void* block, std::size_t i) { static_cast<Run*>(block)->run_thread(i); };
    fibres.run(grid.threads.volume(), thread, &run);
  });
}

/// Throws GpuError for a grid of which the emulation cannot run all blocks at once.
void check_cooperative(const Grid& grid, const KernelTraits& kernel);
/// Runs `run` and puts the kernel's name before what it throws.
void name_faults(const KernelTraits& kernel, const std::function<void()>& run);

/// All blocks at once, in steps: they may wait for each other, and for flags that others raise.
template <class Kernel>
class HostGridRun {
 public:
  HostGridRun(const Kernel& kernel, HostFibres& fibres, const Grid& grid)
      : kernel_(kernel),
        fibres_(fibres),
        threads_(grid.threads.volume()),
        whole_(fibres, grid.blocks.volume() * threads_) {
    for_each_block(grid.blocks,
                   [&](const Extent& place) { blocks_.emplace_back(kernel_, fibres, grid, place, &whole_); });
    fibres.begin(blocks_.size() * threads_, &run_thread, this);
  }
  HostGridRun(const HostGridRun&) = delete;
  HostGridRun& operator=(const HostGridRun&) = delete;

  HostStep step() { return fibres_.step(); }

 private:
  static void run_thread(void* run, std::size_t i) {
    auto& self = *static_cast<HostGridRun*>(run);
    self.blocks_[i / self.threads_].run_thread(i % self.threads_);
  }

  const Kernel kernel_;
  HostFibres& fibres_;
  std::size_t threads_;
  HostBarrier whole_;
  std::deque<HostBlockRun<Kernel>> blocks_;
};

/// The steps of a HostGridRun, which the first step makes.
template <class Kernel>
std::function<HostStep()> steps_of_grid(const Kernel& kernel, NativeStream stream, const Grid& grid) {
  return [=, run = std::shared_ptr<HostGridRun<Kernel>>()]() mutable {
    auto step = HostStep::ended;
    name_faults(traits_of<Kernel>(), [&] {
      if (run == nullptr) run = std::make_shared<HostGridRun<Kernel>>(kernel, fibres_of(stream), grid);
      step = run->step();
    });
    return step;
  };
}

/// The threads that the emulation gives a grid.
template <class Kernel>
Grid host_grid(Grid grid) {
  if constexpr (!needs_threads<Kernel>())
    grid.threads = {has_warps<Kernel>() ? static_cast<unsigned>(grid.threads.volume() / kThreadsOfAWarp) : 1U};
  return grid;
}

template <class Kernel>
void HostKernel<Kernel>::launch(NativeStream stream, const Grid& given, const Kernel& kernel) {
  const KernelTraits traits = traits_of<Kernel>();
  check_grid(given, traits);
  const Grid grid = host_grid<Kernel>(given);
  if constexpr (is_cooperative<Kernel>()) {
    check_cooperative(grid, traits);
    enqueue_steps_on_host(stream, steps_of_grid(kernel, stream, grid));
  } else if constexpr (needs_threads<Kernel>()) {
    enqueue_on_host(stream, [=] { name_faults(traits, [&] { run_threads(kernel, fibres_of(stream), grid); }); });
  } else {
    enqueue_on_host(stream, [=] { run_blocks(kernel, grid); });
  }
}

}  // namespace kaon::gpu
