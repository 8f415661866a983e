/* SPDX-License-Identifier: Apache-2.0 */
/* An error that ends the run; the argument says which. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void say_and_go_on(MPI_Comm* comm, int* code, ...) { printf("handler: %d %d\n", *comm == MPI_COMM_SELF, *code); }

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "";
  int value = 0, rank;
  if (strcmp(way, "before") == 0) return MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (strcmp(way, "fatal") == 0 && rank == 1) MPI_Send(&value, -3, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (strcmp(way, "unbuilt") == 0 && rank == 0) MPI_Win_fence(0, MPI_WIN_NULL);
  if (strcmp(way, "errors-abort") == 0 && rank == 0) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ABORT);
    MPI_Send(&value, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD);
  }
  if (strcmp(way, "self") == 0 && rank == 0) {
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(say_and_go_on, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    MPI_Comm_size(MPI_COMM_NULL, &value);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  if (strcmp(way, "after") == 0) MPI_Barrier(MPI_COMM_WORLD);
  return 0;
}
