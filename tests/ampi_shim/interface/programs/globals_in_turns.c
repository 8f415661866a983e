/* SPDX-License-Identifier: Apache-2.0 */
/* Uses a library that all ranks of a process share as its globals are constructed and destroyed, and at its exit. */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern int visit(void);
static int has_met, is_constructed;

static void visit_some(void) {
  for (int visits = 0; visits < 20; ++visits) has_met |= visit();
}
__attribute__((constructor)) static void construct(void) {
  visit_some();
  sched_yield(); /* others run meanwhile, and may be constructed */
  visit_some();
  is_constructed = 1;
}
static void leave(void) { visit_some(); }
__attribute__((destructor)) static void destroy(void) {
  visit_some();
  if (has_met || !is_constructed) _exit(9);
}

int main(int argc, char** argv) {
  int rank;
  atexit(leave);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank == 1 && argc > 1 && strcmp(argv[1], "exit") == 0) exit(0);
  return 0;
}
