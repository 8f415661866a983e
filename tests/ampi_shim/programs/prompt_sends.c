/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks of the first half exchange short messages with one of the second half, send some more, and then compute until
   these have come, without a call of MPI that would let them leave. */
#define _GNU_SOURCE
#include <sys/syscall.h>

#include "check.h"
#include "shared_page.h"

enum { kMostLooks = 5000000 };

static volatile int* received; /* by rank: how many of those sent before computing have come */

/* The system's, as what programs call by the name lets others run. */
static void let_processes_run(void) { syscall(SYS_sched_yield); }

static void exchange(int peer, int count, int is_first) {
  int value = 0;
  for (int i = 0; i < count; ++i) {
    if (is_first) MPI_Send(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!is_first) MPI_Send(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
  }
}

static void send_and_compute(int peer, int count, int until) {
  int looks = 0;
  for (int i = 0; i < count; ++i) MPI_Send(&i, 1, MPI_INT, peer, 1, MPI_COMM_WORLD);
  for (; received[peer] < until && looks < kMostLooks; ++looks) let_processes_run();
  CHECK(received[peer] == until);
}

static void receive(int peer, int count) {
  for (int i = 0; i < count; ++i) {
    int value = -1;
    MPI_Recv(&value, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(value == i);
    ++received[rank_of_world()];
  }
}

static void run(int rounds, int exchanges, int sends) {
  const int half = size_of_world() / 2, is_first = rank_of_world() < half;
  const int peer = (rank_of_world() + half) % size_of_world();
  received = shared_page();
  for (int round = 1; round <= rounds; ++round) {
    exchange(peer, exchanges, is_first);
    if (is_first)
      send_and_compute(peer, sends, round * sends);
    else
      receive(peer, sends);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  run(20, 30, 1);
  run(20, 30, 4);
  run(20, 30, 26); /* a halo of three dimensions */
  /* So many that a send is not paid for by the time that has gone: it leaves as the first of its turn. */
  if (size_of_world() == 2) run(4, 30000, 1);
  if (rank_of_world() == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}
