// SPDX-License-Identifier: Apache-2.0
// Barriers and small reductions in a row, of all ranks and of some, among each other and among other collectives.
#include <mpi.h>
#include <stdlib.h>

#include "check.h"

enum { kRounds = 300, kMostValues = 100 };

static int rank, ranks;

static void sum_of_all(MPI_Comm comm, int round) {
  const int count = 1 + round % kMostValues;  // some too large to be summed where the ranks meet
  double mine[kMostValues] = {0}, sums[kMostValues];
  for (int i = 0; i < count; ++i) mine[i] = rank + round + i;
  MPI_Allreduce(mine, sums, count, MPI_DOUBLE, MPI_SUM, comm);
  for (int i = 0; i < count; ++i) CHECK(sums[i] == ranks * (ranks - 1) / 2.0 + (double)ranks * (round + i));
}

static void largest_with_its_place(int round) {
  struct {
    int value, place;
  } mine = {(rank * 7 + round) % ranks, rank}, found;
  MPI_Allreduce(&mine, &found, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
  int largest = 0, place = 0;
  for (int i = ranks - 1; i >= 0; --i)
    if ((i * 7 + round) % ranks >= largest) largest = (i * 7 + round) % ranks, place = i;
  CHECK(found.value == largest && found.place == place);
}

static void in_place_of_some(MPI_Comm some, int color, int colors) {
  int expected = 0, sum = rank;
  for (int i = color; i < ranks; i += colors) expected += i;
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, some);
  CHECK(sum == expected);
}

// Whoever leaves a barrier finds what every rank has sent before it came.
static void barrier_divides(int round) {
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  MPI_Send(&round, 1, MPI_INT, next, 3, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  int got = -1;
  MPI_Recv(&got, 1, MPI_INT, before, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(got == round);
}

// A barrier that one rank comes to late ends for nobody before.
static void barrier_waits_for_the_last(int round) {
  const int last = round % ranks;
  int flag = 0;
  MPI_Request told = MPI_REQUEST_NULL;
  if (rank != last) MPI_Irecv(&flag, 1, MPI_INT, last, 4, MPI_COMM_WORLD, &told);
  if (rank == last) {
    flag = 1;
    for (int i = 0; i < ranks; ++i)
      if (i != rank) MPI_Ssend(&flag, 1, MPI_INT, i, 4, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  int has_come = 0;
  MPI_Test(&told, &has_come, MPI_STATUS_IGNORE);
  MPI_Wait(&told, MPI_STATUS_IGNORE);
  CHECK(has_come && flag == 1);
}

static void same_sum_each_time(void) {
  const double mine = 1.0 / (rank + 3);
  double first = 0, again = 0;
  MPI_Allreduce(&mine, &first, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 20; ++i) {
    int found = 0;
    if ((i + rank) % 3 == 0)  // others run, and come first
      MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    CHECK(!found);
    MPI_Allreduce(&mine, &again, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    CHECK(again == first);
  }
}

// What much needed together is not kept for what needs little.
static void few_after_many(void) {
  enum { kMany = 300000 };
  int* const values = malloc(kMany * sizeof *values);
  CHECK(values != NULL);
  for (int count = kMany; count > 0; count /= 100) {
    for (int i = 0; i < count; ++i) values[i] = rank + i;
    CHECK(!MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    for (int i = 0; i < count; ++i) CHECK(values[i] == ranks - 1 + i);
  }
  free(values);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int colors = ranks < 3 ? ranks : 3, color = rank % colors;
  MPI_Comm some;
  MPI_Comm_split(MPI_COMM_WORLD, color, -rank, &some);  // in the other order
  for (int round = 0; round < kRounds; ++round) {
    sum_of_all(MPI_COMM_WORLD, round);
    in_place_of_some(some, color, colors);
    if (round % 5 == 0) MPI_Barrier(some);
    if (round % 7 == 0) barrier_divides(round);
    if (round % 11 == 0) barrier_waits_for_the_last(round);
    if (round % 13 == 0) largest_with_its_place(round);
  }
  same_sum_each_time();
  few_after_many();
  MPI_Comm_free(&some);
  if (rank == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}
