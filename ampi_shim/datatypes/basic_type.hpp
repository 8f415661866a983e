// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <cstdint>
#include <span>

#include "kaon/ampi_shim/datatypes/number.hpp"

namespace kaon::ampi {

/// The groups of basic types by which the standard defines which operations are allowed.
enum class BasicGroup : std::uint8_t {
  kInteger,         // of C, and the multi-language types
  kFortranInteger,  // has no logical operations
  kCharacter,       // text of Fortran and wide characters of C: no operations
  kFloating,
  kComplex,  // two of its numbers
  kLogical,
  kByte,  // also MPI_PACKED, which has no operations
  kPacked,
};

/// A predefined type of one element.
struct BasicType {
  MPI_Datatype handle;
  const char* name;
  BasicGroup group;
  Number number;
  std::int8_t external_bytes;  // in the external32 representation

  int parts() const { return group == BasicGroup::kComplex ? 2 : 1; }
  int bytes() const;
  int alignment() const;
};

/// A predefined type of a value and its index, for MPI_MINLOC and MPI_MAXLOC.
struct PairType {
  MPI_Datatype handle;
  const char* name;
  MPI_Datatype value;
  MPI_Datatype index;
};

std::span<const BasicType> basic_types();
std::span<const PairType> pair_types();

}  // namespace kaon::ampi
