/* SPDX-License-Identifier: Apache-2.0 */
/* Many non-blocking and persistent collectives under way at once, among messages of the program, ended in other orders.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { ROUNDS = 12, COUNT = 40 };

static int rank, size;

static void all_kinds_at_once(MPI_Comm comm, MPI_Comm other) {
  MPI_Request requests[5 * ROUNDS];
  int data[ROUNDS][COUNT], sums[ROUNDS][COUNT], mine[ROUNDS], counts[ROUNDS];
  int* all[ROUNDS];
  int n = 0;
  for (int i = 0; i < ROUNDS; ++i) {
    const int root = i % size;
    all[i] = malloc((size_t)size * sizeof(int));
    mine[i] = rank * 100 + i;
    for (int k = 0; k < COUNT; ++k) data[i][k] = rank == root ? 1000 * i + k : -1;
    CHECK(!MPI_Ibcast(data[i], COUNT, MPI_INT, root, i % 2 ? comm : other, &requests[n++]));
    for (int k = 0; k < COUNT; ++k) sums[i][k] = rank + i + k;
    CHECK(!MPI_Iallreduce(MPI_IN_PLACE, sums[i], COUNT, MPI_INT, MPI_SUM, comm, &requests[n++]));
    CHECK(!MPI_Iallgather(&mine[i], 1, MPI_INT, all[i], 1, MPI_INT, comm, &requests[n++]));
    CHECK(!MPI_Ibarrier(i % 3 ? comm : other, &requests[n++]));
    CHECK(!MPI_Iscan(&mine[i], &counts[i], 1, MPI_INT, MPI_MAX, comm, &requests[n++]));
  }
  /* One that blocks, and a message with wildcards, which must not take those of collectives. */
  int one = 1, ranks, got;
  CHECK(!MPI_Allreduce(&one, &ranks, 1, MPI_INT, MPI_SUM, comm) && ranks == size);
  MPI_Request send;
  CHECK(!MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 5, comm, &send));
  CHECK(!MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE));
  CHECK(got == (rank + size - 1) % size && !MPI_Wait(&send, MPI_STATUS_IGNORE));
  for (int i = n; i-- > n / 2;) CHECK(!MPI_Wait(&requests[i], MPI_STATUS_IGNORE)); /* the last ones first */
  CHECK(!MPI_Waitall(n / 2, requests, MPI_STATUSES_IGNORE));
  for (int i = 0; i < ROUNDS; ++i) {
    for (int k = 0; k < COUNT; ++k) {
      CHECK(data[i][k] == 1000 * i + k);
      CHECK(sums[i][k] == size * (size - 1) / 2 + size * (i + k));
    }
    for (int k = 0; k < size; ++k) CHECK(all[i][k] == k * 100 + i);
    CHECK(counts[i] == mine[i]);
    free(all[i]);
  }
}

/* Begun in one order, started in another one by each rank. */
static void persistent_in_any_order(void) {
  enum { KINDS = 4 };
  MPI_Request requests[KINDS];
  int in[KINDS], out[KINDS];
  for (int i = 0; i < KINDS; ++i)
    CHECK(!MPI_Allreduce_init(&in[i], &out[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[i]));
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < KINDS; ++i) {
      const int which = (i + rank) % KINDS;
      in[which] = which * 10 + round;
      CHECK(!MPI_Start(&requests[which]));
    }
    CHECK(!MPI_Waitall(KINDS, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < KINDS; ++i) CHECK(out[i] == size * (i * 10 + round));
  }
  for (int i = 0; i < KINDS; ++i) CHECK(!MPI_Request_free(&requests[i]));
}

/* Goes on while the rank only tests, and also while it does something else of MPI. */
static void tested(void) {
  MPI_Request request;
  int flag = 0;
  CHECK(!MPI_Ibarrier(MPI_COMM_WORLD, &request));
  while (!flag) CHECK(!MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
  CHECK(request == MPI_REQUEST_NULL);
}

/* A function of the program that is called for data which arrive while the rank does something else. */
static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i) ((int*)inout)[i] += ((int*)in)[i];
}
static void own_operation_meanwhile(void) {
  MPI_Op op;
  MPI_Request requests[4];
  int in[4], out[4];
  MPI_Op_create(add, 0, &op);
  for (int i = 0; i < 4; ++i) {
    in[i] = rank * (i + 1);
    CHECK(!MPI_Iallreduce(&in[i], &out[i], 1, MPI_INT, op, MPI_COMM_WORLD, &requests[i]));
  }
  MPI_Op_free(&op);
  CHECK(!MPI_Barrier(MPI_COMM_WORLD));
  CHECK(!MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
  for (int i = 0; i < 4; ++i) CHECK(out[i] == (i + 1) * size * (size - 1) / 2);
}

static void large_broadcast(void) {
  const int count = 1 << 20;
  int* data = malloc((size_t)count * sizeof(int));
  MPI_Request request;
  for (int i = 0; i < count; ++i) data[i] = rank == size - 1 ? i : 0;
  CHECK(!MPI_Ibcast(data, count, MPI_INT, size - 1, MPI_COMM_WORLD, &request));
  CHECK(!MPI_Wait(&request, MPI_STATUS_IGNORE));
  for (int i = 0; i < count; ++i) CHECK(data[i] == i);
  int* sum = malloc((size_t)count * sizeof(int));
  CHECK(!MPI_Allreduce(data, sum, count, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
  CHECK(memcmp(data, sum, (size_t)count * sizeof(int)) == 0);
  free(data);
  free(sum);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = rank_of_world();
  size = size_of_world();
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  all_kinds_at_once(MPI_COMM_WORLD, other);
  persistent_in_any_order();
  tested();
  own_operation_meanwhile();
  if (size <= 16) large_broadcast();
  MPI_Comm_free(&other);
  if (rank == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}
