// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// Processes that have found each other before Kaon comes, and by whose own means they find each other for it, whatever
/// has started them: those of an MPI program above all (`kaon/mpi_peers.hpp` fills one in). All functions but `abort`
/// are called by the thread that calls the session, in all processes in the same order.
struct Peers {
  int process = 0;
  int processes = 1;
  /// Gives `bytes` at `own` of each process to all, at `all` in the order of processes: MPI_Allgather.
  std::function<void(const void* own, void* all, std::size_t bytes)> gather;
  /// This process enters a barrier, and goes on: MPI_Ibarrier.
  std::function<void()> enter_barrier;
  /// True if all have entered it. Does not wait: MPI_Test.
  std::function<bool()> is_barrier_over;
  /// Ends all processes: MPI_Abort. By any thread. Without it this process ends alone, with `code`.
  std::function<void(int code)> abort;
};

}  // namespace kaon::runtime
