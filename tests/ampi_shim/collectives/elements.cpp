// SPDX-License-Identifier: Apache-2.0
#include "tests/ampi_shim/collectives/elements.hpp"

namespace kaon::testing {

using ampi::CountForm;
using ampi::Datatype;

namespace {

// Room at both ends for types that begin before their start.
constexpr MPI_Count kMargin = 64;

}  // namespace

PairTypes::PairTypes() {
  const auto& number = Datatype::of(MPI_UINT32_T)->shared_definition();
  dense = Datatype::make(ampi::contiguous(CountForm::kInt, 2, number));
  const std::int64_t displacements[] = {12, -4};
  holed = Datatype::make(
      ampi::resized(CountForm::kInt, ampi::hindexed_block(CountForm::kInt, 2, 1, displacements, number), 0, 20));
  dense->commit();
  holed->commit();
}

PairTypes::~PairTypes() {
  dense->free_handle();
  holed->free_handle();
}

Elements::Elements(const Datatype& type, MPI_Count count, const Values& values)
    : type_(&type), count_(count), memory_(static_cast<std::size_t>(count * type.extent() + 2 * kMargin)) {
  if (!values.empty()) type.unpack(at(), values.data(), count);
}

ampi::Piece Elements::piece(MPI_Count first, MPI_Count count) const {
  return {memory_.data() + kMargin + first * type_->extent(), count, type_};
}

Values Elements::values() const {
  Values values(static_cast<std::size_t>(count_ * 2));
  type_->pack(values.data(), at(), count_);
  return values;
}

Values composed(const Values& left, const Values& right) {
  Values result(left.size());
  for (std::size_t i = 0; i < left.size(); i += 2) {
    result[i] = left[i] * right[i];
    result[i + 1] = right[i] * left[i + 1] + right[i + 1];
  }
  return result;
}

namespace {

void compose(void* in, void* inout, int* count, MPI_Datatype* handle) {
  const Datatype& type = *Datatype::of(*handle);
  Values left(static_cast<std::size_t>(*count) * 2);
  Values right(left.size());
  type.pack(left.data(), in, *count);
  type.pack(right.data(), inout, *count);
  right = composed(left, right);
  type.unpack(inout, right.data(), *count);
}

}  // namespace

Composition::Composition(bool is_commutative) : operation_(ampi::Operation::make(&compose, is_commutative)) {}
Composition::~Composition() { operation_->free_handle(); }

Values maps_of(int rank, MPI_Count pairs) {
  Values values;
  for (std::uint32_t i = 0; i < 2 * static_cast<std::uint32_t>(pairs); ++i) {
    values.push_back(3 + 2 * (static_cast<std::uint32_t>(rank) * 1000 + i * 7));
  }
  return values;
}

Values composed_up_to(int end, MPI_Count pairs) {
  Values all = maps_of(0, pairs);
  for (int rank = 1; rank < end; ++rank) all = composed(all, maps_of(rank, pairs));
  return all;
}

}  // namespace kaon::testing
