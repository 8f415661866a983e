// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/kernels/kernel.hpp"
#include "kaon/gpu/resident/device_entries.hpp"
#include "kaon/gpu/resident/resident_worker.hpp"

namespace kaon::gpu {

/// The kernel of a resident scheduler: each block is a worker, which runs entries until there is nothing to do for a
/// while. Started again, it goes on where it was.
template <class Entries>
struct ResidentKernel {
  static constexpr bool kIsCooperative = true;
  /// What the block is about to do, and what became of it.
  struct Shared {
    Found found;
    std::uint32_t values[Command::kWords - notice::kValues];
  };

  ResidentView view;

  template <class Context>
  KAON_DEVICE void operator()(Context& at, Shared& shared) const {
    using Words = typename Context::Words;
    const WorkerOutput<Words> output(view, at.block().x);
    ResidentWorker<Context> worker(view, at, output);
    for (;;) {
      if (at.is_first()) shared.found = worker.next();
      at.sync();
      if (shared.found.turn == Turn::leave) break;
      const Command command = shared.found.command;
      Entries::run(at, output, command, shared.values);
      at.sync();
      if (at.is_first()) {
        answer(at, output, command, shared.values);
        worker.finish();
      }
    }
    if (at.is_first()) worker.leave();
  }

 private:
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
