// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "kaon/ampi_shim/collectives/piece.hpp"
#include "kaon/ampi_shim/datatypes/constructors.hpp"
#include "kaon/ampi_shim/datatypes/datatype.hpp"
#include "kaon/ampi_shim/datatypes/operation.hpp"

namespace kaon::testing {

using Values = std::vector<std::uint32_t>;

/// Pairs of numbers, as a type without holes and as one with: 8 bytes of data in 20, the second number in front.
struct PairTypes {
  PairTypes();
  ~PairTypes();
  PairTypes(const PairTypes&) = delete;
  PairTypes& operator=(const PairTypes&) = delete;

  ampi::Datatype* dense;
  ampi::Datatype* holed;
};

/// Elements of a pair type in memory that is watched for writes into holes.
class Elements {
 public:
  Elements(const ampi::Datatype& type, MPI_Count count, const Values& values = {});

  /// The piece of `count` elements from `first` on; without arguments, of all elements.
  ampi::Piece piece(MPI_Count first, MPI_Count count) const;
  ampi::Piece piece() const { return piece(0, count_); }
  void* at() const { return piece().at; }
  Values values() const;
  const ampi::Datatype& type() const { return *type_; }

 private:
  const ampi::Datatype* type_;
  MPI_Count count_;
  mutable std::vector<std::byte> memory_;
};

/// The maps x -> a x + b of a pair, one after the other: does not commute. The left operand is the one done first.
Values composed(const Values& left, const Values& right);
/// That as an operation of a program, which may claim that it commutes.
class Composition {
 public:
  explicit Composition(bool is_commutative);
  ~Composition();
  Composition(const Composition&) = delete;
  Composition& operator=(const Composition&) = delete;
  const ampi::Operation& operation() const { return *operation_; }

 private:
  ampi::Operation* operation_;
};

/// Different for all ranks and positions.
Values maps_of(int rank, MPI_Count pairs);
/// Those of the ranks [0, end), composed in their order.
Values composed_up_to(int end, MPI_Count pairs);

}  // namespace kaon::testing
