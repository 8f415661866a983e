// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <cstddef>

namespace kaon::ampi {

class Datatype;
class Operation;

/// Elements of a datatype, in memory that somebody else owns.
struct Piece {
  void* at = nullptr;
  MPI_Count count = 0;
  const Datatype* type = nullptr;
};

/// That many bytes: packed data.
Piece bytes_at(void* at, MPI_Count bytes);

MPI_Count packed_bytes(const Piece& piece);
/// Its elements lie in one run, from run_at() on.
bool is_run(const Piece& piece);
std::byte* run_at(const Piece& piece);
MPI_Aint extent_of(const Datatype& type);

/// The bytes that `count` elements cover, and where the first of these is for elements that are at address 0: negative
/// for types with data before their start.
struct Span {
  MPI_Aint first;
  MPI_Aint bytes;
};
Span span_of(MPI_Count count, const Datatype& type);

/// Copies as a message would: the types may differ where their signatures are equal, as bytes are to everything.
void copy(const Piece& from, const Piece& to);

/// into[i] = from[i] operation into[i].
void combine(const Operation& operation, const void* from, const Piece& into);

bool is_commutative(const Operation& operation);
/// The operation is a function of the program: to be called where the program itself may run, and nowhere else.
bool is_of_the_program(const Operation& operation);

}  // namespace kaon::ampi
