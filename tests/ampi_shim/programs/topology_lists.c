/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives of neighbours with lists of counts, in all forms, on a distributed graph: each rank sends to the two
   after it and to itself. Any number of ranks: on few of them a neighbour comes twice. */
#include "check.h"

enum way { BLOCKING, NONBLOCKING, PERSISTENT, WAYS };
enum { kNeighbours = 3, kMost = 4 };

static int rank, size;
static int out[kNeighbours * kMost], in[kNeighbours * kMost];
static MPI_Comm graph;

#define FINISH(way, request)                                            \
  do {                                                                  \
    if (way == PERSISTENT) CHECK(!MPI_Start(&request));                 \
    if (way != BLOCKING) CHECK(!MPI_Wait(&request, MPI_STATUS_IGNORE)); \
    if (way == PERSISTENT) CHECK(!MPI_Request_free(&request));          \
  } while (0)
#define RUN(way, suffix, f, i, ...)                                                         \
  do {                                                                                      \
    MPI_Request request_ = MPI_REQUEST_NULL;                                                \
    if (way == BLOCKING) CHECK(!f##suffix(__VA_ARGS__));                                    \
    if (way == NONBLOCKING) CHECK(!i##suffix(__VA_ARGS__, &request_));                      \
    if (way == PERSISTENT) CHECK(!f##_init##suffix(__VA_ARGS__, MPI_INFO_NULL, &request_)); \
    FINISH(way, request_);                                                                  \
  } while (0)

/* The slot of a neighbour is the distance: 0, 1 or 2 on. */
static int source(int slot) { return (rank + 2 * size - slot) % size; }
static int value(int from, int slot, int k) { return from * 100 + slot * 10 + k; }

static void make_graph(void) {
  int sources[kNeighbours], destinations[kNeighbours];
  for (int i = 0; i < kNeighbours; ++i) {
    sources[i] = source(i);
    destinations[i] = (rank + i) % size;
  }
  CHECK(!MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, kNeighbours, sources, MPI_UNWEIGHTED, kNeighbours, destinations,
                                        MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph));
}

static void prepare(void) {
  for (int i = 0; i < kNeighbours * kMost; ++i) {
    out[i] = value(rank, i / kMost, i % kMost);
    in[i] = -1;
  }
}

/* `is_for_all`: all neighbours get what is meant for the first. */
static void check_in(const int counts[kNeighbours], int is_for_all) {
  for (int i = 0; i < kNeighbours * kMost; ++i) {
    const int slot = i / kMost, k = i % kMost;
    CHECK(in[i] == (k < counts[slot] ? value(source(slot), is_for_all ? 0 : slot, k) : -1));
  }
}

static void lists(enum way way) {
  const int counts[] = {2, 1, 3}, places[] = {0, kMost, 2 * kMost}, same[] = {2, 2, 2};
  const MPI_Aint bytes[] = {0, kMost * sizeof(int), 2 * kMost * sizeof(int)};
  const MPI_Datatype types[] = {MPI_INT, MPI_INT, MPI_INT};
  prepare();
  RUN(way, , MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv, out, 2, MPI_INT, in, same, places, MPI_INT, graph);
  check_in(same, 1);
  prepare();
  RUN(way, , MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv, out, counts, places, MPI_INT, in, counts, places, MPI_INT,
      graph);
  check_in(counts, 0);
  prepare();
  RUN(way, , MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw, out, counts, bytes, types, in, counts, bytes, types,
      graph);
  check_in(counts, 0);
}

static void large(enum way way) {
  const int counts[] = {2, 1, 3}, all[] = {kMost, kMost, kMost};
  const MPI_Count counts_c[] = {2, 1, 3}, all_c[] = {kMost, kMost, kMost};
  const MPI_Aint places[] = {0, kMost, 2 * kMost}, bytes[] = {0, kMost * sizeof(int), 2 * kMost * sizeof(int)};
  const MPI_Datatype types[] = {MPI_INT, MPI_INT, MPI_INT};
  prepare();
  RUN(way, _c, MPI_Neighbor_allgather, MPI_Ineighbor_allgather, out, kMost, MPI_INT, in, kMost, MPI_INT, graph);
  check_in(all, 1);
  prepare();
  RUN(way, _c, MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv, out, kMost, MPI_INT, in, all_c, places, MPI_INT,
      graph);
  check_in(all, 1);
  prepare();
  RUN(way, _c, MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall, out, kMost, MPI_INT, in, kMost, MPI_INT, graph);
  check_in(all, 0);
  prepare();
  RUN(way, _c, MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv, out, counts_c, places, MPI_INT, in, counts_c, places,
      MPI_INT, graph);
  check_in(counts, 0);
  prepare();
  RUN(way, _c, MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw, out, counts_c, bytes, types, in, counts_c, bytes, types,
      graph);
  check_in(counts, 0);
}

static void maps(void) {
  int place, dims[] = {size}, periods[] = {0}, index = 1, edges[] = {0};
  CHECK(!MPI_Cart_map(MPI_COMM_WORLD, 1, dims, periods, &place) && place >= 0 && place < size);
  CHECK(!MPI_Graph_map(MPI_COMM_WORLD, 1, &index, edges, &place));
  CHECK(place == MPI_UNDEFINED || place == 0);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = rank_of_world();
  size = size_of_world();
  make_graph();
  for (enum way way = BLOCKING; way < WAYS; ++way) {
    lists(way);
    large(way);
  }
  MPI_Comm_free(&graph);
  maps();
  if (rank == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}
