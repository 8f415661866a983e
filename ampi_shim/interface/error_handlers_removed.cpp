// SPDX-License-Identifier: Apache-2.0
// Functions of error handlers that MPI-3.0 removed: each has had another name since MPI-2.
#include <mpi.h>

int MPI_Errhandler_create(MPI_Handler_function* handler_fn, MPI_Errhandler* errhandler) {
  return MPI_Comm_create_errhandler(handler_fn, errhandler);
}

int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler* errhandler) { return MPI_Comm_get_errhandler(comm, errhandler); }

int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler) { return MPI_Comm_set_errhandler(comm, errhandler); }
