// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "kaon/ampi_shim/collectives/meeting.hpp"
#include "kaon/ampi_shim/interface/collective_call.hpp"

namespace kaon::ampi {

/// True if elements of a program are in its thread-local variables, which other ranks do not see.
bool is_thread_local(const Rank& rank, const Piece& piece);

/// Blocks of a program for other ranks to read and write while this one waits: its own, or packed copies of them when
/// some are in thread-local variables. On a strand of the rank.
class ReachableBlocks {
 public:
  ReachableBlocks(const Rank& rank, const Blocks& blocks, int count);
  ReachableBlocks(const ReachableBlocks&) = delete;
  ReachableBlocks& operator=(const ReachableBlocks&) = delete;

  const Blocks& blocks() const { return reachable_; }
  /// These, packed, whatever memory they are in: they stay as they are when the program's are written.
  void pack();
  /// Copies the blocks back to the program, after ranks have written them.
  void copy_back() const;

 private:
  const Blocks program_;
  Blocks reachable_;
  const int count_;
  std::vector<MPI_Count> sizes_;
  std::vector<MPI_Aint> starts_;
  std::unique_ptr<std::byte[]> memory_;
};

bool has_device_memory(Rank& rank, const Piece& piece);
bool has_device_memory(Rank& rank, const Blocks& blocks, int count);

/// Where the ranks of this PE meet for a call of which each tells whether it has memory of a device; nullptr, for all
/// ranks alike: it goes by messages, since no PE has two ranks, or some rank has such memory.
Meeting* meeting_for(const Call& call, Rank& rank, Communicator& communicator, bool has_device_memory);

}  // namespace kaon::ampi
