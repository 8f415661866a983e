// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/kernels/kernel.hpp"
#include "kaon/gpu/resident/device/device_entries.hpp"
#include "kaon/gpu/resident/device/dispatcher.hpp"

namespace kaon::gpu {

/// The kernel of a resident scheduler. Its first block is the dispatcher; each other one is a worker, which runs
/// entries until there is nothing to do for a while, or as many workers as it has warps. Started again, it goes on
/// where it was.
template <class Entries>
struct ResidentKernel {
  static constexpr bool kIsCooperative = true, kHasWarps = Entries::kHaveWarps;
  static constexpr unsigned kMostThreads = Entries::kMostThreads, kBlocksAtOnce = Entries::kBlocksAtOnce;
  static constexpr unsigned kMostWarps = kHasWarps ? kMostThreads / kThreadsOfAWarp : 1;
  union Shared {
    WorkerShared<Entries, false> worker;
    WorkerShared<Entries, kHasWarps> warps[kMostWarps];
    DispatcherShared dispatcher;
  };

  ResidentView view;

  template <class Context>
  KAON_DEVICE void operator()(Context& at, Shared& shared) const {
    const auto block = static_cast<std::uint32_t>(at.blocks().number(at.block()));
    if (block == 0) return Dispatcher<Entries, Context>(view, at, shared.dispatcher).run();
    if constexpr (kHasWarps)
      if (block > view.block_workers) return work_by_warp(at, block - 1 - view.block_workers, shared.warps);
    work(at, block - 1, shared.worker);
  }

 private:
  /// Workers that follow each other are of different blocks.
  template <class Context, class WarpsShared>
  KAON_DEVICE void work_by_warp(const Context& at, std::uint32_t block, WarpsShared& shared) const {
    const auto blocks = static_cast<std::uint32_t>(at.blocks().volume()) - 1 - view.block_workers;
    const auto warp = static_cast<std::uint32_t>(at.thread().x) / Context::Words::kWarpLanes;
    typename Context::Warp self(at);
    work(self, view.block_workers + warp * blocks + block, shared[warp]);
  }
  template <class Context, class WorkersShared>
  KAON_DEVICE void work(Context& at, std::uint32_t number, WorkersShared& shared) const {
    const WorkerOutput<Entries, Context> output(view, number, shared);
    ResidentWorker<Entries, Context> worker(at, output, shared);
    if (at.is_first()) worker.begin();
    at.sync();
    for (;;) {
      if (at.is_in_first_warp()) worker.next();
      at.sync();
      if (shared.turn == Turn::leave) break;
      if (at.is_first()) output.note_running();
      Entries::run(at, output, shared.command, shared.values);
      at.sync();
      if (at.is_in_first_warp()) worker.finish();
    }
    worker.leave();
  }
};

}  // namespace kaon::gpu

/// Compiles a DeviceEntries, in a header or source of kernels, with KAON_DEVICE_ENTRIES(Entries).
#define KAON_DEVICE_ENTRIES(...) KAON_KERNEL(kaon::gpu::ResidentKernel<__VA_ARGS__>)
