/* SPDX-License-Identifier: Apache-2.0 */
/* Ends of runs that are not the usual one: the first argument says which, the second which rank meets it. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

static int overrun(int depth) {
  volatile char frame[1024];
  frame[0] = (char)depth;
  return depth < 0 ? frame[0] : overrun(depth + 1) + frame[0];
}

/* As a local array may be, larger than the stack that it is on. */
static __attribute__((noinline)) int overrun_at_once(int bytes) {
  volatile char* const frame = __builtin_alloca((size_t)bytes);
  frame[0] = 1;
  return frame[0];
}

static __attribute__((noinline)) void give_up(void) { abort(); }

int main(int argc, char** argv) {
  int value = 0;
  const char* const how = argc > 1 ? argv[1] : "";
  const int which = argc > 2 ? atoi(argv[2]) : 0;
  MPI_Init(&argc, &argv);
  const int rank = rank_of_world();
  if (rank == which) {
    if (strcmp(how, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 42);
    if (strcmp(how, "abort by no byte") == 0) MPI_Abort(MPI_COMM_WORLD, 256);
    if (strcmp(how, "exit") == 0) exit(7);
    if (strcmp(how, "return") == 0) return 0;
    if (strcmp(how, "overrun") == 0) return overrun(0);
    if (strcmp(how, "overrun at once") == 0) return overrun_at_once(12 << 20);
    if (strcmp(how, "assert") == 0) give_up();
    if (strcmp(how, "invalid") == 0) MPI_Send(&value, 1, MPI_INT, 10000, 0, MPI_COMM_WORLD);
    if (strcmp(how, "late code") == 0) {
      MPI_Finalize();
      exit(9);
    }
  }
  if (strcmp(how, "late code") != 0)
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
