/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of two ranks that cannot go on: the argument says which. */
#include <string.h>

#include "check.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const char* const what = argc > 1 ? argv[1] : "";
  const int me = rank_of_world();
  int value = 0;
  MPI_Group all;
  MPI_Win win;
  MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_get_group(win, &all);
  if (strcmp(what, "exposed") == 0 && me == 0) {
    MPI_Win_post(all, 0, win);
    MPI_Win_wait(win);
  }
  if (strcmp(what, "locked") == 0) {
    if (me == 1) MPI_Barrier(MPI_COMM_WORLD); /* rank 0 has the lock */
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (strcmp(what, "freed") == 0 && me == 0) MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  if (strcmp(what, "open") != 0) MPI_Win_free(&win);
  MPI_Group_free(&all);
  MPI_Finalize();
  return 0;
}
