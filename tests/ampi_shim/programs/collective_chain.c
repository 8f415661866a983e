/* SPDX-License-Identifier: Apache-2.0 */
/* Many ranks of one PE pass blocks around a ring that the first of them enters last: each message that comes lets the
   next rank go on, through all of them, which must not lie on one stack. */
#include <stdlib.h>

#include "check.h"

enum { kInts = 16 }; /* of each: in all more than goes by fewer, packed rounds */

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of_world(), ranks = size_of_world();
  int mine[kInts], *const all = malloc(sizeof(int) * kInts * (size_t)ranks);
  MPI_Comm comm;
  MPI_Request request;
  CHECK(all != NULL && !MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  for (int i = 0; i < kInts; ++i) mine[i] = rank * kInts + i;
  if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);
  CHECK(!MPI_Iallgather(mine, kInts, MPI_INT, all, kInts, MPI_INT, comm, &request));
  if (rank != 0) MPI_Barrier(MPI_COMM_WORLD);
  CHECK(!MPI_Wait(&request, MPI_STATUS_IGNORE));
  for (int i = 0; i < kInts * ranks; ++i) CHECK(all[i] == i);
  free(all);
  MPI_Comm_free(&comm);
  if (rank == 0) puts("all is well");
  MPI_Finalize();
  return 0;
}
