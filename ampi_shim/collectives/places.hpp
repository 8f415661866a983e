// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "kaon/ampi_shim/collectives/plans.hpp"

namespace kaon::ampi {

/// The ranks of a communicator by the place where they live: messages inside one cost next to nothing, so that small
/// collectives go to one rank of each place, between these, and out again. Ranks stay where they are.
class Places {
 public:
  /// `place_of(rank)`: any number that the ranks of one place have in common.
  Places(int rank, int size, std::function<int(int rank)> place_of);
  /// The same for a rank of the place of `neighbour`, without a look at all others. `place_of` as there.
  Places(int rank, const Places& neighbour, std::function<int(int rank)> place_of);

  int ranks_here() const { return static_cast<int>(here_->size()); }
  /// The own rank among those of its place, in their order.
  int index_here() const { return index_; }
  /// Some place has two ranks.
  bool has_neighbours() const { return leaders_.size() < static_cast<std::size_t>(size_); }
  /// The ranks of each place are neighbours, so that places are in the order of all their ranks.
  bool are_in_order() const { return are_in_order_; }
  /// There are fewer places than half the ranks.
  bool are_worth_it() const { return leaders_.size() * 2 < static_cast<std::size_t>(size_); }
  /// The lowest rank of the own place.
  int leader() const { return leaders_[own_]; }
  bool leads() const { return rank_ == leader(); }
  int rank() const { return rank_; }
  /// The other ranks of the own place if this rank is its leader; else empty.
  std::span<const int> others() const { return std::span(*here_).subspan(leads() ? 1 : here_->size()); }
  /// The leaders as a team, as this rank's leader is in it.
  Team leaders() const {
    return {static_cast<int>(own_), static_cast<int>(leaders_.size()), Side::peers, leaders_.data()};
  }
  /// The number, among the leaders, of the place that a rank lives in.
  int place_of(int rank) const;
  int leader_of(int rank) const { return leaders_[static_cast<std::size_t>(place_of(rank))]; }

 private:
  int rank_;
  int size_;
  std::function<int(int rank)> number_of_;
  std::shared_ptr<const std::vector<int>> here_;  // the ranks of the own place, which share it
  int index_ = 0;
  bool are_in_order_ = true;
  std::size_t own_ = 0;
  std::vector<int> numbers_;  // of places, in the order of their leaders
  std::vector<int> leaders_;
};

/// Leaders can hold what all ranks of their places give.
bool is_small(const Piece& piece);

void plan_barrier(Schedule& schedule, const Places& places);
void plan_broadcast(Schedule& schedule, const Places& places, const Piece& data, int root);
// For operations that commute, and what is small.
void plan_reduce(Schedule& schedule, const Places& places, const Reduction& reduction, int root);
void plan_allreduce(Schedule& schedule, const Places& places, const Reduction& reduction);

}  // namespace kaon::ampi
