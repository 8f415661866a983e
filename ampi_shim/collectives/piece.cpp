// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/collectives/piece.hpp"

#include <algorithm>
#include <cstring>

#include "kaon/ampi_shim/datatypes/datatype.hpp"
#include "kaon/ampi_shim/datatypes/operation.hpp"
#include "kaon/ampi_shim/ranks/strand.hpp"

namespace kaon::ampi {

Piece bytes_at(void* at, MPI_Count bytes) { return {at, bytes, Datatype::of(MPI_BYTE)}; }

MPI_Count packed_bytes(const Piece& piece) { return piece.count * piece.type->size(); }

bool is_run(const Piece& piece) { return piece.type->is_run(piece.count); }

std::byte* run_at(const Piece& piece) { return static_cast<std::byte*>(piece.type->run_at(piece.at)); }

MPI_Aint extent_of(const Datatype& type) { return type.extent(); }

Span span_of(MPI_Count count, const Datatype& type) {
  if (count == 0) return {0, 0};
  const MPI_Aint steps = (count - 1) * type.extent();  // negative for types that go backwards
  const MPI_Aint first = type.true_lower_bound() + std::min<MPI_Aint>(steps, 0);
  const MPI_Aint end = type.true_lower_bound() + type.true_extent() + std::max<MPI_Aint>(steps, 0);
  return {first, end - first};
}

void copy(const Piece& from, const Piece& to) {
  const MPI_Count bytes = std::min(packed_bytes(from), packed_bytes(to));
  if (bytes == 0) return;
  if (is_run(from) && is_run(to)) {
    std::memcpy(run_at(to), run_at(from), static_cast<std::size_t>(bytes));
    return;
  }
  copy_elements(to.at, to.count, *to.type, from.at, from.count, *from.type, bytes);
}

namespace {

/// While one is alive, the strand that runs here, if any does, is in an operation of the program.
class OperationCall {
 public:
  OperationCall()
      : strand_(current_strand_or_null()), was_in_one_(strand_ != nullptr && strand_->set_in_operation(true)) {}
  OperationCall(const OperationCall&) = delete;
  OperationCall& operator=(const OperationCall&) = delete;
  ~OperationCall() {
    if (strand_ != nullptr) strand_->set_in_operation(was_in_one_);
  }

 private:
  Strand* const strand_;
  const bool was_in_one_;
};

}  // namespace

void combine(const Operation& operation, const void* from, const Piece& into) {
  if (operation.is_predefined()) return operation.apply(from, into.at, into.count, *into.type);
  const OperationCall call;
  operation.apply(from, into.at, into.count, *into.type);
}

bool is_commutative(const Operation& operation) { return operation.is_commutative(); }

bool is_of_the_program(const Operation& operation) { return !operation.is_predefined(); }

}  // namespace kaon::ampi
