/* SPDX-License-Identifier: Apache-2.0 */
/* Intercommunicators: made, duplicated, split, merged; messages and all collectives over them. At least two ranks. */
#include <stdlib.h>

#include "check.h"

static int world_rank, world_size;
static int rank, size, others, first; /* in the intercommunicator: `first`: this rank is in the lower group */

/* Rank in the world of a rank of the lower or the upper group. */
static int in_world(int lower, int member) { return lower ? member : (world_size + 1) / 2 + member; }
static int other_in_world(int member) { return in_world(!first, member); }

static void rooted(MPI_Comm inter) {
  for (int root = 0; root < world_size; ++root) {
    const int root_is_here = (root < (world_size + 1) / 2) == first;
    const int in_group = first == root_is_here ? root : root - (world_size + 1) / 2;
    const int name = !root_is_here ? in_group : root == world_rank ? MPI_ROOT : MPI_PROC_NULL;
    int data = root == world_rank ? root + 5 : -1, sum = -1, back = -1;
    int* all = calloc((size_t)others, sizeof(int));
    CHECK(!MPI_Bcast(&data, 1, MPI_INT, name, inter));
    CHECK(data == (root_is_here && root != world_rank ? -1 : root + 5));
    CHECK(!MPI_Reduce(&world_rank, &sum, 1, MPI_INT, MPI_SUM, name, inter));
    int expected = 0;
    for (int i = 0; i < others; ++i) expected += other_in_world(i);
    CHECK(sum == (name == MPI_ROOT ? expected : -1));
    CHECK(!MPI_Gather(&world_rank, 1, MPI_INT, all, 1, MPI_INT, name, inter));
    for (int i = 0; i < others && name == MPI_ROOT; ++i) CHECK(all[i] == other_in_world(i));
    CHECK(!MPI_Scatter(all, 1, MPI_INT, &back, 1, MPI_INT, name, inter));
    CHECK(back == (root_is_here ? -1 : world_rank));
    free(all);
  }
}

static void symmetric(MPI_Comm inter) {
  int sum, expected = 0, *all = malloc((size_t)others * sizeof(int)), *from = malloc((size_t)others * sizeof(int));
  for (int i = 0; i < others; ++i) expected += other_in_world(i);
  CHECK(!MPI_Allreduce(&world_rank, &sum, 1, MPI_INT, MPI_SUM, inter) && sum == expected);
  CHECK(!MPI_Allgather(&world_rank, 1, MPI_INT, all, 1, MPI_INT, inter));
  for (int i = 0; i < others; ++i) CHECK(all[i] == other_in_world(i));
  for (int i = 0; i < others; ++i) from[i] = world_rank * 1000 + other_in_world(i);
  CHECK(!MPI_Alltoall(from, 1, MPI_INT, all, 1, MPI_INT, inter));
  for (int i = 0; i < others; ++i) CHECK(all[i] == other_in_world(i) * 1000 + world_rank);
  CHECK(!MPI_Barrier(inter));
  const int total = size * others;
  int* many = malloc((size_t)total * sizeof(int));
  int* share = malloc((size_t)total * sizeof(int));
  for (int i = 0; i < total; ++i) many[i] = world_rank + i;
  CHECK(!MPI_Reduce_scatter_block(many, share, others, MPI_INT, MPI_SUM, inter));
  for (int i = 0; i < others; ++i) CHECK(share[i] == expected + others * (rank * others + i));
  free(all), free(from), free(many), free(share);
}

static void messages(MPI_Comm inter) {
  int value = world_rank, got;
  MPI_Status status;
  MPI_Request request;
  if (rank < others) {
    CHECK(!MPI_Isend(&value, 1, MPI_INT, rank, 3, inter, &request));
    CHECK(!MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 3, inter, &status));
    CHECK(got == other_in_world(rank) && status.MPI_SOURCE == rank);
    CHECK(!MPI_Wait(&request, MPI_STATUS_IGNORE));
  }
}

static void queries(MPI_Comm inter) {
  int flag, ranks;
  MPI_Group group;
  CHECK(!MPI_Comm_test_inter(inter, &flag) && flag == 1);
  CHECK(!MPI_Comm_remote_size(inter, &others));
  CHECK(!MPI_Comm_size(inter, &size) && !MPI_Comm_rank(inter, &rank));
  CHECK(others == (first ? world_size / 2 : (world_size + 1) / 2));
  CHECK(!MPI_Comm_remote_group(inter, &group) && !MPI_Group_size(group, &ranks) && ranks == others);
  MPI_Group_free(&group);
}

static void merged(MPI_Comm inter, int upper_first) {
  MPI_Comm merged;
  int me, result;
  CHECK(!MPI_Intercomm_merge(inter, first == upper_first, &merged));
  CHECK(!MPI_Comm_rank(merged, &me));
  CHECK(me == (first == upper_first ? others + rank : rank));
  CHECK(!MPI_Comm_compare(merged, MPI_COMM_WORLD, &result));
  CHECK(result == (upper_first ? MPI_SIMILAR : MPI_CONGRUENT));
  int sum;
  CHECK(!MPI_Allreduce(&world_rank, &sum, 1, MPI_INT, MPI_SUM, merged));
  CHECK(sum == world_size * (world_size - 1) / 2);
  MPI_Comm_free(&merged);
}

static void derived(MPI_Comm inter) {
  MPI_Comm copy, part;
  MPI_Request request;
  int result;
  CHECK(!MPI_Comm_dup(inter, &copy));
  CHECK(!MPI_Comm_compare(inter, copy, &result) && result == MPI_CONGRUENT);
  messages(copy);
  symmetric(copy);
  MPI_Comm_free(&copy);
  CHECK(!MPI_Comm_idup(inter, &copy, &request));
  CHECK(!MPI_Wait(&request, MPI_STATUS_IGNORE));
  symmetric(copy);
  MPI_Comm_free(&copy);
  /* Even ranks of both groups; odd ones may have nobody on the other side. */
  CHECK(!MPI_Comm_split(inter, rank % 2, rank, &part));
  if (rank % 2 == 0) {
    int own, remote, sum, one = 1;
    CHECK(!MPI_Comm_size(part, &own) && own == (size + 1) / 2);
    CHECK(!MPI_Comm_remote_size(part, &remote) && remote == (others + 1) / 2);
    CHECK(!MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, part) && sum == remote);
  } else {
    CHECK((part == MPI_COMM_NULL) == (others < 2));
  }
  if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
  CHECK(!MPI_Comm_split_type(inter, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &part));
  int is_inter, size, all;
  CHECK(part != MPI_COMM_NULL && !MPI_Comm_test_inter(part, &is_inter) && is_inter);
  CHECK(!MPI_Comm_remote_size(part, &size) && !MPI_Comm_remote_size(inter, &all) && size == all);
  MPI_Comm_free(&part);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  world_rank = rank_of_world();
  world_size = size_of_world();
  if (world_size > 1) {
    MPI_Comm local, inter;
    const int half = (world_size + 1) / 2;
    first = world_rank < half;
    MPI_Comm_split(MPI_COMM_WORLD, first, world_rank, &local);
    /* Leaders are the last ranks of their groups. */
    const int local_leader = (first ? half : world_size - half) - 1;
    CHECK(!MPI_Intercomm_create(local, local_leader, MPI_COMM_WORLD, first ? world_size - 1 : half - 1, 4, &inter));
    queries(inter);
    messages(inter);
    rooted(inter);
    symmetric(inter);
    merged(inter, 0);
    merged(inter, 1);
    derived(inter);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&local);
  }
  if (world_rank == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}
