// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/ampi_shim/collectives/meeting.hpp"

namespace kaon::ampi {

/// A value that is reduced at a meeting. The value of each PE is computed in the order of ranks, those of PEs by a
/// schedule, so that a result does not depend on who came last. Functions of the program run where they may: on the
/// strand of the last rank, with its own operation and type, or on one of the leader.
class ReductionShare final : public Share {
 public:
  /// True if a meeting can do this reduction: it has data, and its operation commutes or places are in rank order.
  static bool takes(const Reduction& reduction, const Places& places);
  static constexpr int kAll = -1;

  /// `mine` is what this rank gets of the result, from its element `first` on. Only that memory is written; of the
  /// reduction's result it is the form that counts, and the value of MPI_IN_PLACE.
  ReductionShare(const Reduction& reduction, const Piece& mine, int root = kAll, MPI_Count first = 0)
      : Share(Kind::reduction, root), reduction_(reduction), mine_(mine), first_(first) {}

  void begin(Meeting& meeting) override;
  bool exchange(Meeting& meeting, DirectExchange& direct) override;
  void plan(Meeting& meeting, Schedule& schedule) override;
  void finish(Meeting& meeting) override;
  void take(Meeting& meeting) override;

 private:
  Piece value() const;
  bool has_equal_values(Meeting& meeting) const;
  void reduce_runs(Meeting& meeting, const Piece& whole);
  Piece reduce_elements(Meeting& meeting, Piece lower, Piece higher);

  const Reduction reduction_;
  const Piece mine_;
  const MPI_Count first_;
  Piece exchanged_;  // as the leader's type lies in memory; without a type: the meeting's store holds the result
};

}  // namespace kaon::ampi
