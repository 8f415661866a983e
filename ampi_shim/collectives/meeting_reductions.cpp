// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/collectives/meeting_reductions.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "kaon/ampi_shim/collectives/direct_exchange.hpp"

namespace kaon::ampi {
namespace {

/// Elements that begin there, one after the other without gaps before the first.
Piece elements_in(std::byte* memory, MPI_Count count, const Datatype& type) {
  return {memory - span_of(count, type).first, count, &type};
}

Piece part_of(const Piece& whole, MPI_Count first, MPI_Count count) {
  return {static_cast<std::byte*>(whole.at) + first * extent_of(*whole.type), count, whole.type};
}

}  // namespace

bool ReductionShare::takes(const Reduction& reduction, const Places& places) {
  return packed_bytes(reduction.result) > 0 && (reduction.operation->is_commutative() || places.are_in_order());
}

Piece ReductionShare::value() const {
  if (reduction_.from == MPI_IN_PLACE) return reduction_.result;
  return {const_cast<void*>(reduction_.from), reduction_.result.count, reduction_.result.type};
}

bool ReductionShare::has_equal_values(Meeting& meeting) const {
  const MPI_Count bytes = packed_bytes(reduction_.result);
  for (std::size_t seat = 0; seat < meeting.size(); ++seat)
    if (packed_bytes(meeting.share<ReductionShare>(seat).reduction_.result) != bytes) return false;
  return true;
}

void ReductionShare::begin(Meeting& meeting) {
  const MPI_Count count = reduction_.result.count, bytes = packed_bytes(reduction_.result);
  const Datatype& type = *reduction_.result.type;
  std::byte* const store = meeting.make_store(static_cast<std::size_t>(bytes));
  if (!has_equal_values(meeting)) return meeting.note_error(MPI_ERR_COUNT);
  if (type.is_run(count) && !is_of_the_program(*reduction_.operation))
    return reduce_runs(meeting, elements_in(store, count, type));
  const auto size = static_cast<std::size_t>(span_of(count, type).bytes);
  const auto one = std::make_unique_for_overwrite<std::byte[]>(size);
  const auto other = std::make_unique_for_overwrite<std::byte[]>(size);
  copy(reduce_elements(meeting, elements_in(one.get(), count, type), elements_in(other.get(), count, type)),
       bytes_at(store, bytes));
}

// Some elements of all ranks at a time, so that their result stays in the nearest cache.
void ReductionShare::reduce_runs(Meeting& meeting, const Piece& whole) {
  constexpr MPI_Count kNear = 16 * 1024;  // bytes
  const MPI_Count step = std::max<MPI_Count>(1, kNear / extent_of(*whole.type));
  for (MPI_Count first = 0; first < whole.count; first += step) {
    const MPI_Count count = std::min(step, whole.count - first);
    const Piece part = part_of(whole, first, count);
    copy(part_of(meeting.share<ReductionShare>(0).value(), first, count), part);
    for (std::size_t seat = 1; seat < meeting.size(); ++seat)
      combine(*reduction_.operation, part_of(meeting.share<ReductionShare>(seat).value(), first, count).at, part);
  }
}

// Each value lies as the own type says, whatever that of its rank. An operation writes over its right argument, which
// is the value of the higher rank.
Piece ReductionShare::reduce_elements(Meeting& meeting, Piece lower, Piece higher) {
  copy(meeting.share<ReductionShare>(0).value(), lower);
  for (std::size_t seat = 1; seat < meeting.size(); ++seat) {
    copy(meeting.share<ReductionShare>(seat).value(), higher);
    combine(*reduction_.operation, lower.at, higher);
    std::swap(lower, higher);
  }
  return lower;
}

bool ReductionShare::exchange(Meeting& meeting, DirectExchange& direct) {
  const Reduction& leaders = meeting.share<ReductionShare>(0).reduction_;
  if (root() != kAll || !DirectExchange::takes(leaders)) return false;
  direct.allreduce(meeting.leaders(), *leaders.operation, {meeting.store(), leaders.result.count, leaders.result.type});
  return true;
}

void ReductionShare::plan(Meeting& meeting, Schedule& schedule) {
  const Reduction& leaders = meeting.share<ReductionShare>(0).reduction_;
  const MPI_Count bytes = packed_bytes(reduction_.result);
  exchanged_ = schedule.scratch_like(leaders.result.count, *leaders.result.type);
  copy(bytes_at(meeting.store(), bytes), exchanged_);
  const Reduction exchange{MPI_IN_PLACE, exchanged_, leaders.operation};
  if (root() == kAll)
    plan_allreduce(schedule, meeting.leaders(), exchange);
  else
    plan_reduce(schedule, meeting.leaders(), exchange, meeting.place_of(root()));
}

void ReductionShare::finish(Meeting& meeting) {
  if (exchanged_.type != nullptr) copy(exchanged_, bytes_at(meeting.store(), packed_bytes(reduction_.result)));
}

void ReductionShare::take(Meeting& meeting) {
  const MPI_Count size = mine_.type->size();
  copy(bytes_at(meeting.store() + first_ * size, mine_.count * size), mine_);
}

}  // namespace kaon::ampi
