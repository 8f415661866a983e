/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks make processes, which sleep, write and end in several ways while the ranks send to each other. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { ways = 5 };

static int child(int way, int rank) {
  static const struct timespec pause = {0, 1000000};
  nanosleep(&pause, NULL);
  printf("child %d of %d\n", way, rank);
  if (way == 0) exit(10);
  if (way == 1) fflush(stdout), _exit(11);
  if (way == 2) execl("/no/such/program", "program", NULL), quick_exit(12);
  if (way == 3) abort();
  return 14; /* from main */
}

static void exchange(int rank, int size) {
  for (int i = 0; i < 50; ++i) {
    int got = -1;
    CHECK(MPI_Sendrecv(&i, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT, (rank + size - 1) % size, 0,
                       MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    CHECK(got == i);
  }
}

static void await_child(pid_t started, int way) {
  int status = 0;
  CHECK(waitpid(started, &status, 0) == started);
  if (way == 3)
    CHECK(WIFSIGNALED(status));
  else
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 10 + way);
}

static void start_a_missing_program(void) {
  const pid_t started = vfork();
  if (started == 0) {
    execl("/no/such/program", "program", NULL);
    _exit(15);
  }
  await_child(started, 5);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of_world();
  pid_t started[ways];
  fflush(stdout);
  for (int way = 0; way < ways; ++way) {
    started[way] = fork();
    if (started[way] == 0) return child(way, rank);
  }
  exchange(rank, size_of_world());
  for (int way = 0; way < ways; ++way) await_child(started[way], way);
  start_a_missing_program();
  exchange(rank, size_of_world());
  MPI_Finalize();
  return 0;
}
