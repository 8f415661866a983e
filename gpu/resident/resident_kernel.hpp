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
  /// What a worker is about to do, and what became of it.
  struct Running {
    Turn turn;
    Command command;
    std::uint32_t values[Command::kWords - notice::kValues];
    std::uint32_t held;
  };
  union Shared {
    Running worker;
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
  KAON_DEVICE void work(Context& at, std::uint32_t number, Running& running) const {
    using Words = typename Context::Words;
    if (at.is_first()) running.held = view.workers[number].held;
    const WorkerOutput<Words> output(view, number, running.held);
    ResidentWorker<Context> worker(at, output);
    for (;;) {
      if (at.is_in_first_warp()) {
        const Turn turn = worker.next(running.command);
        if (at.is_first()) running.turn = turn;
      }
      at.sync();
      if (running.turn == Turn::leave) break;
      const Command command = running.command;
      Entries::run(at, output, command, running.values);
      at.sync();
      if (at.is_first()) answer(at, output, command, running.values);
      worker.finish();
    }
    if (at.is_first()) view.workers[number].held = running.held;
    worker.leave();
  }
  /// Whoever called the entry gets what it has returned.
  template <class Context, class Output>
  KAON_DEVICE static void answer(Context& at, const Output& output, const Command& command,
                                 const std::uint32_t* values) {
    if (command.words[task::kReply] == task::kNoReply) return;
    Command reply{};
    reply.words[notice::kTarget] = notice::kReply;
    reply.words[notice::kTicket] = command.words[task::kReply];
    for (unsigned i = notice::kValues; i < Command::kWords; ++i) reply.words[i] = values[i - notice::kValues];
    tell_host(at, output, reply);
  }
};

}  // namespace kaon::gpu

/// Compiles a DeviceEntries, in a header or source of kernels, with KAON_DEVICE_ENTRIES(Entries).
#define KAON_DEVICE_ENTRIES(...) KAON_KERNEL(kaon::gpu::ResidentKernel<__VA_ARGS__>)
