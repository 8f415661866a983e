/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments that collectives refuse before anything has begun: all ranks are told at once, and the next collective is
   well. Any number of ranks. */
#include "check.h"

enum { kMostRanks = 64 };

static int rank, ranks;
static MPI_Comm comm;
static int values[2 * kMostRanks], others[2 * kMostRanks], counts[kMostRanks], places[kMostRanks];
static MPI_Datatype types[kMostRanks];

static int class_of(int error) {
  int class = -1;
  MPI_Error_class(error, &class);
  return class;
}

static void the_next_is_well(void) {
  int sum = rank;
  CHECK(!MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm) && sum == ranks * (ranks - 1) / 2);
}

/* Also where there is nothing to send or to receive. */
static void in_place_where_it_is_not_allowed(void) {
  MPI_Request request;
  const int root = (rank + 1) % ranks;
  for (int count = 0; count < 2; ++count) {
    CHECK(class_of(MPI_Bcast(MPI_IN_PLACE, count, MPI_INT, 0, comm)) == MPI_ERR_BUFFER);
    CHECK(class_of(MPI_Ibcast(MPI_IN_PLACE, count, MPI_INT, 0, comm, &request)) == MPI_ERR_BUFFER);
    CHECK(class_of(MPI_Allreduce(values, MPI_IN_PLACE, count, MPI_INT, MPI_SUM, comm)) == MPI_ERR_BUFFER);
    CHECK(class_of(MPI_Iallreduce(values, MPI_IN_PLACE, count, MPI_INT, MPI_SUM, comm, &request)) == MPI_ERR_BUFFER);
    CHECK(class_of(MPI_Alltoall(values, count, MPI_INT, MPI_IN_PLACE, count, MPI_INT, comm)) == MPI_ERR_BUFFER);
    if (ranks > 1) {
      CHECK(class_of(MPI_Reduce(MPI_IN_PLACE, others, count, MPI_INT, MPI_SUM, root, comm)) == MPI_ERR_BUFFER);
      CHECK(class_of(MPI_Gather(MPI_IN_PLACE, count, MPI_INT, others, count, MPI_INT, root, comm)) == MPI_ERR_BUFFER);
      CHECK(class_of(MPI_Scatter(values, count, MPI_INT, MPI_IN_PLACE, count, MPI_INT, root, comm)) == MPI_ERR_BUFFER);
    }
    for (int i = 0; i < ranks; ++i) counts[i] = count;
    CHECK(class_of(MPI_Alltoallv(values, counts, places, MPI_INT, MPI_IN_PLACE, counts, places, MPI_INT, comm)) ==
          MPI_ERR_BUFFER);
    CHECK(class_of(MPI_Alltoallw(values, counts, places, types, MPI_IN_PLACE, counts, places, types, comm)) ==
          MPI_ERR_BUFFER);
  }
  the_next_is_well();
}

/* Where ranks of one PE meet, and by schedules. */
static void own_blocks_from_where_they_go(void) {
  MPI_Request request;
  MPI_Datatype apart;
  CHECK(!MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &apart) && !MPI_Type_commit(&apart));
  for (int i = 0; i < ranks; ++i) counts[i] = 1;
  CHECK(class_of(MPI_Iallreduce(values, values, 1, MPI_INT, MPI_SUM, comm, &request)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Reduce(values, values, 1, MPI_INT, MPI_SUM, rank, comm)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Reduce_scatter(values, values, counts, MPI_INT, MPI_SUM, comm)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Gather(values, 1, MPI_INT, values, 1, MPI_INT, rank, comm)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Gather(&others[rank], 1, MPI_INT, others, 1, MPI_INT, rank, comm)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Scatter(values, 1, MPI_INT, values, 1, MPI_INT, rank, comm)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Scatter(values, 1, MPI_INT, &values[rank], 1, MPI_INT, rank, comm)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Iallgather(&others[rank], 1, MPI_INT, others, 1, MPI_INT, comm, &request)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Allgather(values, 1, MPI_INT, values, 1, MPI_INT, comm)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Alltoall(others, 1, MPI_INT, others, 1, apart, comm)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Alltoallv(others, counts, places, MPI_INT, others, counts, places, MPI_INT, comm)) ==
        MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Ialltoallv(others, counts, places, MPI_INT, others, counts, places, MPI_INT, comm, &request)) ==
        MPI_ERR_BUFFER);
  CHECK(!MPI_Type_free(&apart));
  the_next_is_well();
}

static void operations_and_counts(void) {
  MPI_Request request;
  CHECK(class_of(MPI_Allreduce(values, others, 1, MPI_INT, MPI_REPLACE, comm)) == MPI_ERR_OP);
  CHECK(class_of(MPI_Ireduce(values, others, 1, MPI_INT, MPI_NO_OP, 0, comm, &request)) == MPI_ERR_OP);
  CHECK(class_of(MPI_Allreduce(NULL, others, 1, MPI_INT, MPI_SUM, comm)) == MPI_ERR_BUFFER);
  for (int i = 0; i < ranks; ++i) counts[i] = i == 0 ? -1 : 2;
  CHECK(class_of(MPI_Reduce_scatter(values, others, counts, MPI_INT, MPI_SUM, comm)) == MPI_ERR_COUNT);
  CHECK(class_of(MPI_Ireduce_scatter(values, others, counts, MPI_INT, MPI_SUM, comm, &request)) == MPI_ERR_COUNT);
  CHECK(class_of(MPI_Reduce(values, others, 1, MPI_INT, MPI_SUM, ranks, comm)) == MPI_ERR_ROOT);
  the_next_is_well();
}

/* The first two ranks are a group each. */
static void in_place_between_groups(void) {
  MPI_Comm between;
  MPI_Request request;
  if (rank > 1 || ranks < 2) return;
  CHECK(!MPI_Intercomm_create(MPI_COMM_SELF, 0, comm, 1 - rank, 7, &between));
  CHECK(!MPI_Comm_set_errhandler(between, MPI_ERRORS_RETURN));
  CHECK(class_of(MPI_Allgather(MPI_IN_PLACE, 1, MPI_INT, others, 1, MPI_INT, between)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, others, 1, MPI_INT, between)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Allreduce(MPI_IN_PLACE, others, 1, MPI_INT, MPI_SUM, between)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Iallreduce(MPI_IN_PLACE, others, 1, MPI_INT, MPI_SUM, between, &request)) == MPI_ERR_BUFFER);
  CHECK(!MPI_Allgather(&rank, 1, MPI_INT, others, 1, MPI_INT, between) && others[0] == 1 - rank);
  CHECK(!MPI_Comm_free(&between));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = rank_of_world();
  ranks = size_of_world();
  CHECK(ranks <= kMostRanks);
  CHECK(!MPI_Comm_dup(MPI_COMM_WORLD, &comm) && !MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  for (int i = 0; i < ranks; ++i) places[i] = i, types[i] = MPI_INT;
  in_place_where_it_is_not_allowed();
  own_blocks_from_where_they_go();
  operations_and_counts();
  in_place_between_groups();
  CHECK(!MPI_Comm_free(&comm));
  if (rank == 0) puts("all is well");
  MPI_Finalize();
  return 0;
}
