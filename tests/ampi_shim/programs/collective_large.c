/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives by the functions with large counts: blocking, non-blocking, persistent. Any number of ranks. */
#include <stdlib.h>

#include "check.h"

enum way { BLOCKING, NONBLOCKING, PERSISTENT, WAYS };
enum { kEach = 3, kMost = 64 * 64 };

static int rank, size;
static int out[kMost], in[kMost];

#define RUN(way, f, i, ...)                                                                                    \
  do {                                                                                                         \
    MPI_Request request_;                                                                                      \
    if (way == BLOCKING) CHECK(!f##_c(__VA_ARGS__));                                                           \
    if (way == NONBLOCKING) CHECK(!i##_c(__VA_ARGS__, &request_));                                             \
    if (way == PERSISTENT) CHECK(!f##_init_c(__VA_ARGS__, MPI_INFO_NULL, &request_) && !MPI_Start(&request_)); \
    if (way != BLOCKING) CHECK(!MPI_Wait(&request_, MPI_STATUS_IGNORE));                                       \
    if (way == PERSISTENT) CHECK(!MPI_Request_free(&request_));                                                \
  } while (0)

/* The `k`-th integer that a rank has for another, or for all. */
static int value(int from, int to, int k) { return from * 10000 + to * 100 + k; }

static void clear(void) {
  for (int i = 0; i < kMost; ++i) in[i] = -1;
}

static void rooted(enum way way) {
  const int root = size - 1;
  clear();
  for (int k = 0; k < kEach; ++k) in[k] = rank == root ? k + 5 : -1;
  RUN(way, MPI_Bcast, MPI_Ibcast, in, kEach, MPI_INT, root, MPI_COMM_WORLD);
  for (int k = 0; k < kEach; ++k) CHECK(in[k] == k + 5);
  for (int k = 0; k < kEach; ++k) out[k] = value(rank, 0, k);
  clear();
  RUN(way, MPI_Gather, MPI_Igather, out, kEach, MPI_INT, in, kEach, MPI_INT, root, MPI_COMM_WORLD);
  for (int i = 0; i < kEach * size; ++i) CHECK(in[i] == (rank == root ? value(i / kEach, 0, i % kEach) : -1));
  for (int i = 0; i < kEach * size; ++i) out[i] = value(rank, i / kEach, i % kEach);
  RUN(way, MPI_Scatter, MPI_Iscatter, out, kEach, MPI_INT, in, kEach, MPI_INT, root, MPI_COMM_WORLD);
  for (int k = 0; k < kEach; ++k) CHECK(in[k] == value(root, rank, k));
}

static void together(enum way way) {
  for (int k = 0; k < kEach; ++k) out[k] = value(rank, 0, k);
  RUN(way, MPI_Allgather, MPI_Iallgather, out, kEach, MPI_INT, in, kEach, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < kEach * size; ++i) CHECK(in[i] == value(i / kEach, 0, i % kEach));
  for (int i = 0; i < kEach * size; ++i) out[i] = value(rank, i / kEach, i % kEach);
  RUN(way, MPI_Alltoall, MPI_Ialltoall, out, kEach, MPI_INT, in, kEach, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < kEach * size; ++i) CHECK(in[i] == value(i / kEach, rank, i % kEach));
}

static void reductions(enum way way) {
  const int below = rank * (rank + 1) / 2, all = size * (size - 1) / 2;
  for (int i = 0; i < kEach * size; ++i) out[i] = rank + i;
  RUN(way, MPI_Allreduce, MPI_Iallreduce, out, in, kEach, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int k = 0; k < kEach; ++k) CHECK(in[k] == all + size * k);
  clear();
  RUN(way, MPI_Reduce, MPI_Ireduce, out, in, kEach, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  for (int k = 0; k < kEach; ++k) CHECK(in[k] == (rank == 0 ? all + size * k : -1));
  RUN(way, MPI_Scan, MPI_Iscan, out, in, kEach, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int k = 0; k < kEach; ++k) CHECK(in[k] == below + (rank + 1) * k);
  clear();
  RUN(way, MPI_Exscan, MPI_Iexscan, out, in, kEach, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int k = 0; k < kEach; ++k) CHECK(rank == 0 || in[k] == below - rank + rank * k);
  RUN(way, MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, out, in, kEach, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int k = 0; k < kEach; ++k) CHECK(in[k] == all + size * (rank * kEach + k));
  MPI_Count counts[64];
  for (int i = 0; i < size; ++i) counts[i] = i == 0 ? kEach * size : 0;
  clear();
  RUN(way, MPI_Reduce_scatter, MPI_Ireduce_scatter, out, in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < kEach * size; ++i) CHECK(in[i] == (rank == 0 ? all + size * i : -1));
}

/* Each rank has one more than the one before it, up to three; between blocks there is a gap. */
static MPI_Count count_of(int of_rank) { return of_rank % 3 + 1; }

static void lists(enum way way) {
  MPI_Count counts[64];
  MPI_Aint places[64];
  const int root = size / 2;
  for (int i = 0; i < size; ++i) {
    counts[i] = count_of(i);
    places[i] = 4 * i;
  }
  for (int k = 0; k < 3; ++k) out[k] = value(rank, 0, k);
  clear();
  RUN(way, MPI_Allgatherv, MPI_Iallgatherv, out, count_of(rank), MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < 4 * size; ++i) CHECK(in[i] == (i % 4 < count_of(i / 4) ? value(i / 4, 0, i % 4) : -1));
  clear();
  RUN(way, MPI_Gatherv, MPI_Igatherv, out, count_of(rank), MPI_INT, in, counts, places, MPI_INT, root, MPI_COMM_WORLD);
  for (int i = 0; i < 4 * size; ++i)
    CHECK(in[i] == (rank == root && i % 4 < count_of(i / 4) ? value(i / 4, 0, i % 4) : -1));
  for (int i = 0; i < 4 * size; ++i) out[i] = value(rank, i / 4, i % 4);
  clear();
  RUN(way, MPI_Scatterv, MPI_Iscatterv, out, counts, places, MPI_INT, in, count_of(rank), MPI_INT, root,
      MPI_COMM_WORLD);
  for (int k = 0; k < 4; ++k) CHECK(in[k] == (k < count_of(rank) ? value(root, rank, k) : -1));
}

static void lists_for_each(enum way way) {
  MPI_Count counts_out[64], counts_in[64];
  MPI_Aint places[64], bytes[64];
  MPI_Datatype types[64];
  for (int i = 0; i < size; ++i) {
    counts_out[i] = count_of(rank + i);
    counts_in[i] = count_of(rank + i);
    places[i] = 4 * i;
    bytes[i] = places[i] * (MPI_Aint)sizeof(int);
    types[i] = MPI_INT;
  }
  for (int i = 0; i < 4 * size; ++i) out[i] = value(rank, i / 4, i % 4);
  clear();
  RUN(way, MPI_Alltoallv, MPI_Ialltoallv, out, counts_out, places, MPI_INT, in, counts_in, places, MPI_INT,
      MPI_COMM_WORLD);
  for (int i = 0; i < 4 * size; ++i) CHECK(in[i] == (i % 4 < count_of(rank + i / 4) ? value(i / 4, rank, i % 4) : -1));
  clear();
  RUN(way, MPI_Alltoallw, MPI_Ialltoallw, out, counts_out, bytes, types, in, counts_in, bytes, types, MPI_COMM_WORLD);
  for (int i = 0; i < 4 * size; ++i) CHECK(in[i] == (i % 4 < count_of(rank + i / 4) ? value(i / 4, rank, i % 4) : -1));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = rank_of_world();
  size = size_of_world();
  CHECK(size <= 64);
  for (enum way way = BLOCKING; way < WAYS; ++way) {
    rooted(way);
    together(way);
    reductions(way);
    lists(way);
    lists_for_each(way);
  }
  if (rank == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}
