// SPDX-License-Identifier: Apache-2.0
// Blocking and non-blocking collectives whose ranks give different counts: whoever has too little room is told, nothing
// behind that room is written, and the next collective is well. Any number of ranks; with "one PE" two or more of one,
// who are told of more where they meet; with "four PEs" one on each.
#include <string.h>

#include "check.h"

enum { kMostRanks = 64, kRoom = 2, kTooMany = 5 };

static int rank, ranks;
static MPI_Comm comm;

static int class_of(int error) {
  int class = -1;
  MPI_Error_class(error, &class);
  return class;
}

static int is_left_alone(const int* values, int first, int end) {
  for (int i = first; i < end; ++i)
    if (values[i] != -1) return 0;
  return 1;
}

static void the_next_is_well(void) {
  int all[kMostRanks], sum = rank, root = rank == 0 ? 17 : 0;
  CHECK(!MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, comm));
  for (int i = 0; i < ranks; ++i) CHECK(all[i] == i);
  CHECK(!MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm) && sum == ranks * (ranks - 1) / 2);
  CHECK(!MPI_Bcast(&root, 1, MPI_INT, 0, comm) && root == 17);
}

static void broadcasts(void) {
  const int is_short = rank == ranks - 1;
  for (int is_nonblocking = 0; is_nonblocking < 2; ++is_nonblocking) {
    int values[kTooMany] = {-1, -1, -1, -1, -1}, error;
    MPI_Request request;
    if (rank == 0) memset(values, 0, sizeof values);
    if (is_nonblocking) {
      CHECK(!MPI_Ibcast(values, is_short ? kRoom : kTooMany, MPI_INT, 0, comm, &request));
      error = MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
      error = MPI_Bcast(values, is_short ? kRoom : kTooMany, MPI_INT, 0, comm);
    }
    if (is_short) CHECK(class_of(error) == MPI_ERR_TRUNCATE && is_left_alone(values, kRoom, kTooMany));
    the_next_is_well();
  }
}

// The last one comes when the message to it is there: its receive fails at once.
static void message_before_its_receive(void) {
  int values[kTooMany] = {-1, -1, -1, -1, -1}, flag;
  MPI_Request request;
  if (rank == ranks - 1) {
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(!MPI_Ibcast(values, kRoom, MPI_INT, 0, comm, &request));
  } else {
    CHECK(!MPI_Ibcast(values, kTooMany, MPI_INT, 0, comm, &request));
    CHECK(!MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
    MPI_Barrier(MPI_COMM_WORLD);
  }
  const int error = MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(class_of(error) == (rank == ranks - 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS));
  the_next_is_well();
}

// The last one sends more than there is room for, the one before it less, so that their sum is what was to come.
static void gathers(void) {
  int counts[kMostRanks], places[kMostRanks], mine[kTooMany] = {0}, all[kMostRanks * kTooMany];
  for (int i = 0; i < ranks; ++i) counts[i] = i == ranks - 2 ? kTooMany : kRoom, places[i] = i * kTooMany;
  for (int i = 0; i < ranks * kTooMany; ++i) all[i] = -1;
  const int sent = rank == ranks - 1 ? kTooMany : kRoom;
  const int error = MPI_Gatherv(mine, sent, MPI_INT, all, counts, places, MPI_INT, 0, comm);
  if (rank == 0) CHECK(class_of(error) == MPI_ERR_TRUNCATE);
  CHECK(is_left_alone(all, (ranks - 1) * kTooMany + kRoom, ranks * kTooMany));
  the_next_is_well();
}

static void gathers_of_all(void) {
  int mine[kTooMany] = {0}, all[kMostRanks * kRoom + kTooMany], errors;
  const int last = ranks * kRoom;
  for (int i = 0; i < last + kTooMany; ++i) all[i] = -1;
  int error = MPI_Allgather(mine, rank == ranks - 1 ? kTooMany : kRoom, MPI_INT, all, kRoom, MPI_INT, comm);
  CHECK(class_of(error) == MPI_ERR_TRUNCATE && is_left_alone(all, last, last + kTooMany));
  the_next_is_well();

  // one has other counts: this one is told, or all others are
  int counts[kMostRanks], places[kMostRanks];
  for (int i = 0; i < ranks; ++i) counts[i] = i == ranks - 1 && rank == 0 ? kTooMany : kRoom, places[i] = i * kRoom;
  error = MPI_Allgatherv(mine, kRoom, MPI_INT, all, counts, places, MPI_INT, comm);
  errors = class_of(error) == MPI_ERR_TRUNCATE;
  CHECK(!MPI_Allreduce(MPI_IN_PLACE, &errors, 1, MPI_INT, MPI_SUM, comm) && (errors == 1 || errors == ranks - 1));
  the_next_is_well();
}

static void reductions(void) {
  int mine[kTooMany] = {0}, sums[kTooMany] = {-1, -1, -1, -1, -1};
  const int count = rank == ranks - 1 ? kRoom : kTooMany;
  CHECK(class_of(MPI_Allreduce(mine, sums, count, MPI_INT, MPI_SUM, comm)) == MPI_ERR_COUNT);
  CHECK(is_left_alone(sums, 0, kTooMany));
  the_next_is_well();
}

// The others come when rank 0 is in a collective of the communicator, and so know that theirs is another.
static void other_collectives(void) {
  int value = rank;
  MPI_Request told[kMostRanks];
  if (rank == 0) {
    for (int to = 1; to < ranks; ++to) CHECK(!MPI_Isend(&value, 1, MPI_INT, to, 3, MPI_COMM_WORLD, &told[to]));
    CHECK(!MPI_Bcast(&value, 1, MPI_INT, 0, comm));
    CHECK(!MPI_Waitall(ranks - 1, told + 1, MPI_STATUSES_IGNORE));
  } else {
    CHECK(!MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(class_of(MPI_Barrier(comm)) == MPI_ERR_OTHER);
    CHECK(class_of(MPI_Bcast(&value, 1, MPI_INT, 1, comm)) == MPI_ERR_OTHER);
    CHECK(!MPI_Bcast(&value, 1, MPI_INT, 0, comm) && value == 0);
  }
  the_next_is_well();
}

// One on each of four PEs, the last of which has more: its neighbour alone is told, and by its first message.
static void reductions_at_once(void) {
  int mine[kRoom] = {0}, sums[kRoom] = {0};
  const int error = MPI_Allreduce(mine, sums, rank == ranks - 1 ? kRoom : 1, MPI_INT, MPI_SUM, comm);
  CHECK(class_of(error) == (rank == ranks - 2 ? MPI_ERR_TRUNCATE : MPI_SUCCESS) || rank < ranks - 2);
  the_next_is_well();
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = rank_of_world();
  ranks = size_of_world();
  CHECK(!MPI_Comm_dup(MPI_COMM_WORLD, &comm) && !MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  if (ranks > 1) broadcasts();
  if (ranks > 1) message_before_its_receive();
  if (ranks > 2) gathers();
  const int is_one_pe = argc > 1 && strcmp(argv[1], "one PE") == 0;
  if (is_one_pe) gathers_of_all();
  if (is_one_pe) reductions();
  if (is_one_pe) other_collectives();
  if (argc > 1 && !is_one_pe) reductions_at_once();
  CHECK(!MPI_Comm_free(&comm));
  if (rank == 0) puts("all is well");
  MPI_Finalize();
  return 0;
}
