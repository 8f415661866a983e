// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/collectives/places.hpp"

#include <algorithm>
#include <utility>

namespace kaon::ampi {

Places::Places(int rank, int size, std::function<int(int rank)> place_of)
    : rank_(rank), size_(size), number_of_(std::move(place_of)) {
  const int own = number_of_(rank);
  std::vector<int> here;
  for (int other = 0; other < size; ++other) {
    const int number = number_of_(other);
    if (other == rank) index_ = static_cast<int>(here.size());
    if (number == own) here.push_back(other);
    const auto found = std::find(numbers_.begin(), numbers_.end(), number);
    are_in_order_ = are_in_order_ && (found == numbers_.end() || found + 1 == numbers_.end());
    if (found != numbers_.end()) continue;
    if (number == own) own_ = numbers_.size();
    numbers_.push_back(number);
    leaders_.push_back(other);
  }
  here_ = std::make_shared<const std::vector<int>>(std::move(here));
}

Places::Places(int rank, const Places& neighbour, std::function<int(int rank)> place_of) : Places(neighbour) {
  rank_ = rank;
  number_of_ = std::move(place_of);
  index_ = static_cast<int>(std::lower_bound(here_->begin(), here_->end(), rank) - here_->begin());
}

int Places::place_of(int rank) const {
  const auto found = std::find(numbers_.begin(), numbers_.end(), number_of_(rank));
  return static_cast<int>(found - numbers_.begin());
}

bool is_small(const Piece& piece) {
  constexpr MPI_Count kSmall = 512;
  return packed_bytes(piece) <= kSmall;
}

void plan_barrier(Schedule& schedule, const Places& places) {
  const Piece nothing = bytes_at(nullptr, 0);
  if (!places.leads()) {
    schedule.send(places.leader(), nothing);
    schedule.receive(places.leader(), nothing);
    return;
  }
  for (const int other : places.others()) schedule.receive(other, nothing);
  schedule.fence();
  plan_barrier(schedule, places.leaders());
  for (const int other : places.others()) schedule.send(other, nothing);
}

void plan_broadcast(Schedule& schedule, const Places& places, const Piece& data, int root) {
  if (packed_bytes(data) == 0) return;
  const int rank = places.rank();
  const int first = places.leader_of(root);
  if (rank == root && rank != first) schedule.send(first, data);
  if (rank == first && rank != root) {
    schedule.receive(root, data);
    schedule.fence();
  }
  if (!places.leads()) {
    if (rank != root) schedule.receive(places.leader(), data);
    return;
  }
  plan_broadcast(schedule, places.leaders(), data, places.place_of(root));
  for (const int other : places.others()) {
    if (other != root) schedule.send(other, data);
  }
}

namespace {

/// At a leader: the values of its place in the result's memory.
void gather_values(Schedule& schedule, const Places& places, const Reduction& reduction) {
  const Piece& result = reduction.result;
  std::vector<Piece> values;
  for (const int other : places.others()) {
    values.push_back(schedule.scratch_like(result.count, *result.type));
    schedule.receive(other, values.back());
  }
  if (reduction.from != MPI_IN_PLACE) {
    schedule.copy({const_cast<void*>(reduction.from), result.count, result.type}, result);
  }
  schedule.fence();
  for (const Piece& value : values) schedule.combine(*reduction.operation, value.at, result);
}

}  // namespace

void plan_reduce(Schedule& schedule, const Places& places, const Reduction& reduction, int root) {
  if (packed_bytes(reduction.result) == 0) return;
  const int rank = places.rank();
  const int last = places.leader_of(root);
  if (places.leads()) {
    Reduction of_place = reduction;
    // Only the root has memory for the result.
    if (rank != root) of_place.result = schedule.scratch_like(reduction.result.count, *reduction.result.type);
    gather_values(schedule, places, of_place);
    plan_reduce(schedule, places.leaders(), {MPI_IN_PLACE, of_place.result, reduction.operation},
                places.place_of(root));
    if (rank == last && rank != root) schedule.send(root, of_place.result);
    return;
  }
  schedule.send(places.leader(), reduction.own());
  if (rank != root) return;
  schedule.fence();
  schedule.receive(last, reduction.result);
}

void plan_allreduce(Schedule& schedule, const Places& places, const Reduction& reduction) {
  if (packed_bytes(reduction.result) == 0) return;
  if (!places.leads()) {
    schedule.send(places.leader(), reduction.own());
    schedule.fence();
    schedule.receive(places.leader(), reduction.result);
    return;
  }
  gather_values(schedule, places, reduction);
  plan_allreduce(schedule, places.leaders(), {MPI_IN_PLACE, reduction.result, reduction.operation});
  schedule.fence();
  for (const int other : places.others()) schedule.send(other, reduction.result);
}

}  // namespace kaon::ampi
