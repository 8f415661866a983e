// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/windows/signals.hpp"

#include "kaon/ampi_shim/messages/departures.hpp"
#include "kaon/ampi_shim/windows/windows.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"

namespace kaon::ampi {
namespace window_handlers {  // not unnamed: entries are told apart by their names

// A lock that was given back is all that may come behind the end of its window, where it means nothing any more.
void signal(Pe& pe, Signal came) {
  if (Window* const window = rank_here(pe, came.ranks, came.to).part<Windows>().find(came.window)) window->take(came);
}

}  // namespace window_handlers

void send_signal(Window& window, int member, SignalKind kind) {
  using Sent = RemoteProcedure<&window_handlers::signal, Counting::counted>;
  Rank& rank = window.rank();
  const Communicator& communicator = window.communicator();
  const int to = communicator.rank_in_run(member);
  Departures::here().note_send();
  Sent::send(rank.scheduler(), rank.pe_of(to),
             Signal{window.context(), to, rank.collection(), communicator.rank(), kind});
}

}  // namespace kaon::ampi
