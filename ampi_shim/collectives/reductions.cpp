// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "kaon/ampi_shim/collectives/doubling.hpp"
#include "kaon/ampi_shim/collectives/plans.hpp"

namespace kaon::ampi {

namespace {

/// The reduction of the values of neighbouring ranks, which grows at both ends. A function of the program may not
/// commute, so what comes from lower ranks is always on its left; and it writes over its right argument, so the value
/// moves between two memories.
class Partial {
 public:
  Partial(Schedule& schedule, const Operation& operation, const Piece& first, const Piece& spare)
      : schedule_(schedule), operation_(operation), value_(first), spare_(spare) {}

  const Piece& value() const { return value_; }
  /// Where to receive what is put to one side next.
  const Piece& spare() const { return spare_; }
  void set_spare(const Piece& spare) { spare_ = spare; }
  void put_lower() { schedule_.combine(operation_, spare_.at, value_); }
  void put_higher() {
    schedule_.combine(operation_, value_.at, spare_);
    std::swap(value_, spare_);
  }

 private:
  Schedule& schedule_;
  const Operation& operation_;
  Piece value_;
  Piece spare_;
};

Piece scratch_for(Schedule& schedule, const Reduction& reduction) {
  return schedule.scratch_like(reduction.result.count, *reduction.result.type);
}

bool is_nothing(const Reduction& reduction) { return packed_bytes(reduction.result) == 0; }

// A copy of the own value that may be written over: in the result's memory, where there is one.
Partial begin_in(const Piece& memory, Schedule& schedule, const Reduction& reduction) {
  schedule.copy(reduction.own(), memory);
  return {schedule, *reduction.operation, memory, scratch_for(schedule, reduction)};
}

/// A binomial tree whose every part holds neighbouring ranks, counted from `root`. What is returned is the whole at the
/// root; elsewhere nothing.
Piece reduce_by_tree(Schedule& schedule, const Team& team, const Reduction& reduction, int root) {
  const int from_root = (team.rank - root + team.size) % team.size;
  const auto rank_of = [&](int v) { return (v + root) % team.size; };
  const bool is_leaf = (from_root & 1) != 0 || from_root + 1 >= team.size;
  const Piece own = reduction.own();
  Partial partial(schedule, *reduction.operation, own, is_leaf ? own : scratch_for(schedule, reduction));
  for (int bit = 1; bit < team.size; bit *= 2) {
    if ((from_root & bit) != 0) {
      schedule.send(team.peer(rank_of(from_root - bit)), partial.value(), team.side);
      return {};
    }
    if (from_root + bit >= team.size) continue;
    schedule.receive(team.peer(rank_of(from_root + bit)), partial.spare(), team.side);
    schedule.fence();
    partial.put_higher();
    // The program's own value is not written over.
    if (partial.spare().at == own.at) partial.set_spare(scratch_for(schedule, reduction));
  }
  return partial.value();
}

}  // namespace

void plan_reduce(Schedule& schedule, const Team& team, const Reduction& reduction, int root) {
  if (is_nothing(reduction)) return;
  // The order of ranks matters to some operations: then rank 0 is the tree's root, and passes the result on.
  const int top = is_commutative(*reduction.operation) ? root : 0;
  const Piece whole = reduce_by_tree(schedule, team, reduction, top);
  if (team.rank == top && top != root) schedule.send(team.peer(root), whole, team.side);
  if (team.rank != root) return;
  if (top == root) {
    schedule.copy(whole, reduction.result);
  } else {
    schedule.fence();
    schedule.receive(team.peer(top), reduction.result, team.side);
  }
}

namespace {

void reduce_by_doubling(Schedule& schedule, const Team& team, const Doubling& doubling, Partial& partial) {
  const int me = doubling.member(team.rank);
  for (int bit = 1; bit < doubling.members; bit *= 2) {
    const int partner = doubling.rank_of(me ^ bit);
    schedule.receive(team.peer(partner), partial.spare(), team.side);
    schedule.send(team.peer(partner), partial.value(), team.side);
    schedule.fence();
    if (partner < team.rank) {
      partial.put_lower();
    } else {
      partial.put_higher();
    }
  }
}

}  // namespace

void plan_allreduce(Schedule& schedule, const Team& team, const Reduction& reduction) {
  if (is_nothing(reduction)) return;
  const Doubling doubling(team.size);
  if (doubling.is_stood_for(team.rank)) {
    schedule.send(team.peer(team.rank + 1), reduction.own(), team.side);
    schedule.fence();
    schedule.receive(team.peer(team.rank + 1), reduction.result, team.side);
    return;
  }
  Partial partial = begin_in(reduction.result, schedule, reduction);
  if (doubling.stands_for_other(team.rank)) {
    schedule.receive(team.peer(team.rank - 1), partial.spare(), team.side);
    schedule.fence();
    partial.put_lower();
  }
  reduce_by_doubling(schedule, team, doubling, partial);
  schedule.copy(partial.value(), reduction.result);
  if (doubling.stands_for_other(team.rank)) schedule.send(team.peer(team.rank - 1), partial.value(), team.side);
}

void plan_reduce_scatter(Schedule& schedule, const Team& team, const Reduction& reduction, Numbers<MPI_Count> counts,
                         void* mine) {
  if (is_nothing(reduction)) return;
  const Datatype& type = *reduction.result.type;
  Reduction whole = reduction;
  if (team.rank == 0) whole.result = scratch_for(schedule, reduction);
  if (reduction.from == MPI_IN_PLACE) whole.from = mine;
  plan_reduce(schedule, team, whole, 0);
  if (team.rank != 0) {
    schedule.fence();
    if (counts[team.rank] != 0) schedule.receive(team.peer(0), {mine, counts[team.rank], &type}, team.side);
    return;
  }
  auto* at = static_cast<std::byte*>(whole.result.at);
  for (int rank = 0; rank < team.size; ++rank) {
    const Piece block{at, counts[rank], &type};
    at += counts[rank] * extent_of(type);
    if (rank == 0) schedule.copy(block, {mine, counts[0], &type});
    if (rank != 0 && counts[rank] != 0) schedule.send(team.peer(rank), block, team.side);
  }
}

// Hillis and Steele 1986: after round k the partial value is that of the 2^(k+1) ranks up to the own one.
void plan_scan(Schedule& schedule, const Team& team, const Reduction& reduction) {
  if (is_nothing(reduction)) return;
  Partial partial = begin_in(reduction.result, schedule, reduction);
  for (int distance = 1; distance < team.size; distance *= 2) {
    const bool has_lower = team.rank >= distance;
    if (has_lower) schedule.receive(team.peer(team.rank - distance), partial.spare(), team.side);
    if (team.rank + distance < team.size) schedule.send(team.peer(team.rank + distance), partial.value(), team.side);
    schedule.fence();
    if (has_lower) partial.put_lower();
  }
}

void plan_exscan(Schedule& schedule, const Team& team, const Reduction& reduction) {
  if (is_nothing(reduction)) return;
  Partial partial = begin_in(scratch_for(schedule, reduction), schedule, reduction);
  for (int distance = 1; distance < team.size; distance *= 2) {
    const bool has_lower = team.rank >= distance;
    if (has_lower) schedule.receive(team.peer(team.rank - distance), partial.spare(), team.side);
    if (team.rank + distance < team.size) schedule.send(team.peer(team.rank + distance), partial.value(), team.side);
    schedule.fence();
    if (!has_lower) continue;
    // The first is what the result begins with, and then it grows at its lower end, as the partial value does.
    if (distance == 1) {
      schedule.copy(partial.spare(), reduction.result);
    } else {
      schedule.combine(*reduction.operation, partial.spare().at, reduction.result);
    }
    partial.put_lower();
  }
}

}  // namespace kaon::ampi
