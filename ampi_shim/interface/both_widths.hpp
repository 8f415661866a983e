// SPDX-License-Identifier: Apache-2.0
#pragma once
// Most functions of MPI that take counts come in two widths: MPI_Pack and MPI_Pack_c. Both are written once:
//
//   KAON_BOTH_WIDTHS(MPI_Pack_size, (Count incount, MPI_Datatype datatype, MPI_Comm comm, Count* size),
//                    return pack_size(function, incount, datatype, comm, size))
//
// A macro, since a template has no name of C's. `function` is the name of the one that was called, for error texts.
#include <mpi.h>

// Types of parameters: of counts, of displacements in elements and of those in bytes.
namespace kaon::ampi::int_counts {
using Count = int;
using Displacement = int;
using Bytes = MPI_Aint;
}  // namespace kaon::ampi::int_counts

namespace kaon::ampi::large_counts {
using Count = MPI_Count;
using Displacement = MPI_Aint;
using Bytes = MPI_Count;
}  // namespace kaon::ampi::large_counts

/// The functions `name` and `name_c`, with one list of parameters and one body. Of C's linkage, they are those that
/// mpi.h declares, although they stand in a namespace: the one that says what a Count is.
#define KAON_BOTH_WIDTHS(name, parameters, ...)  \
  namespace kaon::ampi::int_counts {             \
  extern "C" int name parameters {               \
    constexpr const char* function = #name;      \
    __VA_ARGS__;                                 \
  }                                              \
  }                                              \
  namespace kaon::ampi::large_counts {           \
  extern "C" int name##_c parameters {           \
    constexpr const char* function = #name "_c"; \
    __VA_ARGS__;                                 \
  }                                              \
  }
