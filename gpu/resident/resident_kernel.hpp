// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/kernels/kernel.hpp"
#include "kaon/gpu/resident/device_entries.hpp"
#include "kaon/gpu/resident/dispatcher.hpp"

namespace kaon::gpu {

/// The kernel of a resident scheduler. Its first block is the dispatcher; each other one is a worker, which runs
/// entries until there is nothing to do for a while. Started again, it goes on where it was.
template <class Entries>
struct ResidentKernel {
  static constexpr bool kIsCooperative = true;
  static constexpr unsigned kMostThreads = Entries::kMostThreads, kBlocksAtOnce = Entries::kBlocksAtOnce;
  union Shared {
    WorkerShared worker;
    DispatcherShared dispatcher;
  };

  ResidentView view;

  template <class Context>
  KAON_DEVICE void operator()(Context& at, Shared& shared) const {
    const auto block = static_cast<std::uint32_t>(at.blocks().number(at.block()));
    if (block == 0)
      Dispatcher<Context>(view, at, shared.dispatcher).run();
    else
      work(at, block - 1, shared.worker);
  }

 private:
  template <class Context>
  KAON_DEVICE void work(Context& at, std::uint32_t number, WorkerShared& shared) const {
    using Words = typename Context::Words;
    const WorkerOutput<Words> output(view, number, shared);
    ResidentWorker<Context> worker(at, output, shared);
    if (at.is_first()) worker.begin();
    at.sync();
    for (;;) {
      if (at.is_in_first_warp()) worker.next();
      at.sync();
      if (shared.turn == Turn::leave) break;
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
