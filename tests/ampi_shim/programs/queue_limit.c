/* SPDX-License-Identifier: Apache-2.0 */
/* Rank 0 sends far more than the queue of the other rank's PE may hold, while that PE takes nothing: it waits for a
   byte from a pipe that rank 0 writes when all sends have begun. Two ranks on two PEs of one process. */
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

enum { kLarge = 40, kSmall = 4000, kLargeBytes = 1 << 20, kSmallBytes = 8 << 10 };

static void send_all(void) {
  static MPI_Request requests[kLarge + kSmall];
  char* const data = calloc(kLargeBytes, 1);
  int ends[2], count = 0;
  CHECK(data != NULL && pipe(ends) == 0);
  MPI_Send(&ends[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  for (int i = 0; i < kLarge; ++i) MPI_Isend(data, kLargeBytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD, &requests[count++]);
  for (int i = 0; i < kSmall; ++i) MPI_Isend(data, kSmallBytes, MPI_CHAR, 1, 2, MPI_COMM_WORLD, &requests[count++]);
  CHECK(write(ends[1], "", 1) == 1);
  CHECK(MPI_Waitall(count, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
  free(data);
}

static void receive_all(void) {
  char byte, *const data = malloc(kLargeBytes);
  int end = -1;
  MPI_Recv(&end, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(data != NULL && read(end, &byte, 1) == 1);
  for (int i = 0; i < kSmall; ++i) MPI_Recv(data, kSmallBytes, MPI_CHAR, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < kLarge; ++i) MPI_Recv(data, kLargeBytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  free(data);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (rank_of_world() == 0)
    send_all();
  else
    receive_all();
  if (rank_of_world() == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}
