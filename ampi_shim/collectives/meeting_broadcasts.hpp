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
class AllgatherShare : public Share {
 public:
  /// `mine` may be in `all`.
  AllgatherShare(const Piece& mine, const Blocks& all) : AllgatherShare(Kind::allgather, mine, all) {}

  void begin(Meeting& meeting) override;
  void plan(Meeting& meeting, Schedule& schedule) override;
  void take(Meeting& meeting) override;

 protected:
  /// For one that takes them out of the store in a way of its own: of `all` it needs the sizes alone.
  AllgatherShare(Kind kind, const Piece& mine, const Blocks& all) : Share(kind), mine_(mine), all_(all) {}

  /// Calls `visit(rank, start)` with the place of each block in the store, and returns the end.
  template <class Visit>
  MPI_Count walk(const Meeting& meeting, Visit visit) const {
    MPI_Count start = 0;
    for (const std::vector<int>& place : meeting.members()) {
      for (const int rank : place) {
        visit(rank, start);
        start += packed_bytes(all_[rank]);
      }
    }
    return start;
  }

 private:
  const Piece mine_;
  const Blocks all_;
};

}  // namespace kaon::ampi
