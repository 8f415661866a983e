// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "kaon/ampi_shim/collectives/meeting.hpp"

namespace kaon::ampi {

/// A broadcast at a meeting: where the root is, its buffer is copied to those of the others; elsewhere it arrives in
/// that of the leader.
class BroadcastShare final : public Share {
 public:
  BroadcastShare(const Piece& data, int root) : Share(Kind::broadcast, root), data_(data) {}

  void begin(Meeting& meeting) override;
  void plan(Meeting& meeting, Schedule& schedule) override;
  void finish(Meeting& meeting) override;

 private:
  void copy_to_others(Meeting& meeting);

  const Piece data_;
  bool is_root_here_ = false;
  std::size_t source_ = 0;  // seat
};

/// An allgather: the blocks of a PE are put together, leaders exchange them, and each rank takes all.
class AllgatherShare final : public Share {
 public:
  /// `mine` may be in `all`.
  AllgatherShare(const Piece& mine, const Blocks& all) : Share(Kind::allgather), mine_(mine), all_(all) {}

  void begin(Meeting& meeting) override;
  void plan(Meeting& meeting, Schedule& schedule) override;
  void take(Meeting& meeting) override;

 private:
  /// Calls `visit(rank, start)` with the place of each block in the store, and returns the end.
  template <class Visit>
  MPI_Count walk(const Meeting& meeting, Visit visit) const;

  const Piece mine_;
  const Blocks all_;
};

}  // namespace kaon::ampi
