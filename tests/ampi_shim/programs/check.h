/* SPDX-License-Identifier: Apache-2.0 */
/* For test programs in C: CHECK(condition) ends the run with a line that says what did not hold. */
#ifndef KAON_TESTS_CHECK_H
#define KAON_TESTS_CHECK_H
#include <mpi.h>
#include <stdio.h>

static void check_that(int holds, const char* condition, const char* file, int line) {
  if (holds) return;
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fprintf(stderr, "%s:%d: rank %d: this does not hold: %s\n", file, line, rank, condition);
  MPI_Abort(MPI_COMM_WORLD, 99);
}
#define CHECK(condition) check_that(!!(condition), #condition, __FILE__, __LINE__)

__attribute__((unused)) static int rank_of_world(void) {
  int rank;
  CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS);
  return rank;
}
__attribute__((unused)) static int size_of_world(void) {
  int size;
  CHECK(MPI_Comm_size(MPI_COMM_WORLD, &size) == MPI_SUCCESS);
  return size;
}
#endif
