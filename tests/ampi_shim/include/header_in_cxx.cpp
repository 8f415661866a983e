// SPDX-License-Identifier: Apache-2.0
// mpi.h compiles first, alone, in C++20, without a warning; what C++ must be able to do with its constants.
#include <mpi.h>

#include <algorithm>
#include <type_traits>

static_assert(sizeof(MPI_Status) == 32 && std::is_trivial_v<MPI_Status>);
static_assert(!std::is_convertible_v<MPI_Comm, MPI_Datatype>, "handles of two kinds are not mixed up");
static_assert(std::is_same_v<decltype(MPI_UNDEFINED), int>);

int kaon_header_in_cxx(int rank);

// Constants are ints: a template takes them with other ints.
int kaon_header_in_cxx(int rank) {
  const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_CXX_BOOL};
  const int peer = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  return std::max(peer, MPI_ANY_TAG) + (types[0] == MPI_INT) + (&MPI_Send == &PMPI_Send);
}
