/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of the program's own that call MPI: the first argument says what, the second in which form. */
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static const char* what = "";

static void call_something(void) {
  int value = 0, flag = 0;
  MPI_Status status;
  MPI_Request request;
  if (strcmp(what, "barrier") == 0) MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(what, "allreduce") == 0) MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (strcmp(what, "receive") == 0) MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
  if (strcmp(what, "probe") == 0) MPI_Probe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
  if (strcmp(what, "test") == 0) {
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request);
    while (!flag) MPI_Test(&request, &flag, &status);
  }
  if (strcmp(what, "local") == 0) {
    CHECK(rank_of_world() < size_of_world());
    usleep(100);
  }
}

static void add(void* in, void* inout, int* length, MPI_Datatype* type) {
  MPI_Aint lower, extent;
  CHECK(MPI_Type_get_extent(*type, &lower, &extent) == MPI_SUCCESS && extent == sizeof(int));
  call_something();
  for (int i = 0; i < *length; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

int main(int argc, char** argv) {
  MPI_Op operation;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  what = argc > 1 ? argv[1] : "local";
  const int is_blocking = argc > 2 && strcmp(argv[2], "blocking") == 0, ranks = size_of_world();
  CHECK(MPI_Op_create(&add, 1, &operation) == MPI_SUCCESS);
  for (int round = 0; round < 3; ++round) {
    int value = rank_of_world(), sum = -1;
    if (is_blocking) {
      CHECK(MPI_Allreduce(&value, &sum, 1, MPI_INT, operation, MPI_COMM_WORLD) == MPI_SUCCESS);
    } else {
      CHECK(MPI_Iallreduce(&value, &sum, 1, MPI_INT, operation, MPI_COMM_WORLD, &request) == MPI_SUCCESS);
      CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    }
    CHECK(sum == ranks * (ranks - 1) / 2);
  }
  CHECK(MPI_Op_free(&operation) == MPI_SUCCESS);
  if (rank_of_world() == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}
