/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives of equal blocks on several communicators, in all forms, for all roots and several counts. */
#include <stdlib.h>

#include "check.h"
#include "collective_forms.h"

static int* numbers(size_t count) {
  int* made = malloc((count + 1) * sizeof(int));
  for (size_t i = 0; i <= count; ++i) made[i] = -1;
  return made;
}
static int value(int from, int to, int i) { return from * 1000003 + to * 1009 + i; }

static void fill(int* at, int from, int to, int count) {
  for (int i = 0; i < count; ++i) at[i] = value(from, to, i);
}
static void expect(const int* at, int from, int to, int count) {
  for (int i = 0; i < count; ++i) CHECK(at[i] == value(from, to, i));
}

static void broadcasts(MPI_Comm comm, int count, enum form form) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int* data = numbers((size_t)count);
  for (int root = 0; root < size; root += 1 + size / 5) {
    if (rank == root)
      fill(data, root, 7, count);
    else
      fill(data, 99, 99, count);
    COLLECTIVE(form, MPI_Bcast, MPI_Ibcast, data, count, MPI_INT, root, comm);
    expect(data, root, 7, count);
    CHECK(data[count] == -1);
  }
  free(data);
}

static void gathers(MPI_Comm comm, int count, enum form form, int in_place) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int* mine = numbers((size_t)count);
  int* all = numbers((size_t)count * (size_t)size);
  for (int root = 0; root < size; root += 1 + size / 3) {
    const int here = in_place && rank == root;
    fill(mine, rank, root, count);
    if (here) fill(all + rank * count, rank, root, count);
    COLLECTIVE(form, MPI_Gather, MPI_Igather, here ? MPI_IN_PLACE : mine, count, MPI_INT, all, count, MPI_INT, root,
               comm);
    if (rank == root)
      for (int i = 0; i < size; ++i) expect(all + i * count, i, root, count);
    for (int i = 0; i < size; ++i) fill(all + i * count, root, i, count);
    fill(mine, 55, 55, count);
    COLLECTIVE(form, MPI_Scatter, MPI_Iscatter, all, count, MPI_INT, here ? MPI_IN_PLACE : mine, count, MPI_INT, root,
               comm);
    if (here)
      expect(mine, 55, 55, count);
    else
      expect(mine, root, rank, count);
  }
  free(mine);
  free(all);
}

static void exchanges(MPI_Comm comm, int count, enum form form, int in_place) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int* from = numbers((size_t)count * (size_t)size);
  int* to = numbers((size_t)count * (size_t)size);
  fill(from, rank, 3, count);
  if (in_place) fill(to + rank * count, rank, 3, count);
  COLLECTIVE(form, MPI_Allgather, MPI_Iallgather, in_place ? MPI_IN_PLACE : from, count, MPI_INT, to, count, MPI_INT,
             comm);
  for (int i = 0; i < size; ++i) expect(to + i * count, i, 3, count);
  if (in_place && form == PERSISTENT) form = BLOCKING; /* twice is back again */
  for (int i = 0; i < size; ++i) fill((in_place ? to : from) + i * count, rank, i, count);
  COLLECTIVE(form, MPI_Alltoall, MPI_Ialltoall, in_place ? MPI_IN_PLACE : from, count, MPI_INT, to, count, MPI_INT,
             comm);
  for (int i = 0; i < size; ++i) expect(to + i * count, i, rank, count);
  CHECK(to[count * size] == -1);
  free(from);
  free(to);
}

static void all_on(MPI_Comm comm) {
  const int counts[] = {0, 1, 6, 3000};
  int size;
  MPI_Comm_size(comm, &size);
  for (int form = 0; form < FORMS; ++form) {
    for (int i = 0; i < 4; ++i) {
      if (counts[i] * size > 40000) continue;
      broadcasts(comm, counts[i], form);
      for (int in_place = 0; in_place < 2; ++in_place) {
        gathers(comm, counts[i], form, in_place);
        exchanges(comm, counts[i], form, in_place);
      }
    }
  }
  MPI_Request request;
  CHECK(MPI_Barrier(comm) == MPI_SUCCESS);
  CHECK(MPI_Ibarrier(comm, &request) == MPI_SUCCESS);
  wait_for_request(&request);
  CHECK(MPI_Barrier_init(comm, MPI_INFO_NULL, &request) == MPI_SUCCESS);
  run_twice(&request);
}

/* More than is sent at once, and packed where it leaves the process. */
static void with_gaps(enum form form) {
  enum { kInts = 6000 };
  static int data[2 * kInts];
  MPI_Datatype gaps;
  const int root = size_of_world() - 1, is_root = rank_of_world() == root;
  MPI_Type_vector(kInts, 1, 2, MPI_INT, &gaps);
  MPI_Type_commit(&gaps);
  for (int i = 0; i < 2 * kInts; ++i) data[i] = is_root && i % 2 == 0 ? value(root, form, i) : -1;
  COLLECTIVE(form, MPI_Bcast, MPI_Ibcast, data, 1, gaps, root, MPI_COMM_WORLD);
  for (int i = 0; i < 2 * kInts; ++i) CHECK(data[i] == (i % 2 == 0 ? value(root, form, i) : -1));
  MPI_Type_free(&gaps);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of_world();
  MPI_Comm reversed, part;
  all_on(MPI_COMM_WORLD);
  all_on(MPI_COMM_SELF);
  for (enum form form = BLOCKING; form < FORMS; ++form) with_gaps(form);
  CHECK(MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed) == MPI_SUCCESS);
  all_on(reversed);
  CHECK(MPI_Comm_split(MPI_COMM_WORLD, rank % 3, 0, &part) == MPI_SUCCESS);
  all_on(part);
  MPI_Comm_free(&reversed);
  MPI_Comm_free(&part);
  if (rank == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}
