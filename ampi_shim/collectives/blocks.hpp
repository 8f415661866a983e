// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kaon/ampi_shim/collectives/piece.hpp"

namespace kaon::ampi {

/// An argument of a v- or w-variant: of `int`, or of the wider type of the large-count forms. Not owned.
template <typename Wide>
class Numbers {
 public:
  Numbers() = default;
  Numbers(const int* numbers) : narrow_(numbers) {}  // NOLINT: as the argument is given
  Numbers(const Wide* numbers) : wide_(numbers) {}   // NOLINT
  explicit operator bool() const { return narrow_ || wide_; }
  Wide operator[](int i) const { return narrow_ ? Wide{narrow_[i]} : wide_[i]; }

 private:
  const int* narrow_ = nullptr;
  const Wide* wide_ = nullptr;
};

/// One piece of memory for each rank, in one of the three ways that collectives name them. Looked at while a schedule
/// is written down, not later.
class Blocks {
 public:
  Blocks() = default;
  /// `count` elements each, one after the other.
  Blocks(const void* at, MPI_Count count, const Datatype& type) : at_(at), count_(count), type_(&type) {}
  /// Displacements in elements.
  Blocks(const void* at, Numbers<MPI_Count> counts, Numbers<MPI_Aint> displacements, const Datatype& type)
      : at_(at), counts_(counts), displacements_(displacements), type_(&type) {}
  /// Displacements in bytes.
  Blocks(const void* at, Numbers<MPI_Count> counts, Numbers<MPI_Aint> displacements, const Datatype* const* types)
      : at_(at), counts_(counts), displacements_(displacements), types_(types) {}

  Piece operator[](int rank) const {
    const Datatype* type = types_ ? types_[rank] : type_;
    const MPI_Count count = counts_ ? counts_[rank] : count_;
    auto* base = static_cast<std::byte*>(const_cast<void*>(at_));
    if (count == 0) return {base, 0, type};
    return {base + offset(rank, *type), count, type};
  }

  /// One behind the other, of as many elements each.
  bool are_equal() const { return !counts_; }
  /// So many of these as one piece.
  Piece together(int blocks) const { return {const_cast<void*>(at_), count_ * blocks, type_}; }
  /// How many bytes each has where equal blocks lie without gaps, from run() on; else -1.
  MPI_Count run_bytes() const {
    const bool are_run = are_equal() && type_ != nullptr && is_run(together(2));
    return are_run ? packed_bytes(together(1)) : -1;
  }
  std::byte* run() const { return run_at(together(1)); }

 private:
  MPI_Aint offset(int rank, const Datatype& type) const {
    if (!counts_) return rank * count_ * extent_of(type);
    return displacements_[rank] * (types_ ? 1 : extent_of(type));
  }

  const void* at_ = nullptr;
  MPI_Count count_ = 0;
  Numbers<MPI_Count> counts_;
  Numbers<MPI_Aint> displacements_;
  const Datatype* type_ = nullptr;
  const Datatype* const* types_ = nullptr;
};

}  // namespace kaon::ampi
