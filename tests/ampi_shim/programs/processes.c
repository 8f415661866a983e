/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the processes that its ranks are in. */
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int ranks = size_of_world();
  int own = (int)getpid(), count = 0;
  int* const all = malloc((size_t)ranks * sizeof own);
  CHECK(MPI_Gather(&own, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD) == MPI_SUCCESS);
  for (int i = 0; rank_of_world() == 0 && i < ranks; ++i) {
    int before = 0;
    while (all[before] != all[i]) ++before;
    count += before == i;
  }
  if (rank_of_world() == 0) printf("%d processes\n", count);
  free(all);
  MPI_Finalize();
  return 0;
}
