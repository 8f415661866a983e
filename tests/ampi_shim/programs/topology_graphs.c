/* SPDX-License-Identifier: Apache-2.0 */
/* Graph and distributed graph topologies: rings with chords. Any number of ranks. */
#include <stdlib.h>

#include "check.h"

static int rank, size;

static void graph(void) {
  int *index = malloc((size_t)size * sizeof(int)), *edges = malloc(2 * (size_t)size * sizeof(int));
  int status, nodes, count, around[2], in[2], all;
  MPI_Comm ring;
  for (int i = 0; i < size; ++i) {
    index[i] = 2 * (i + 1);
    edges[2 * i] = (i + size - 1) % size;
    edges[2 * i + 1] = (i + 1) % size;
  }
  CHECK(!MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &ring));
  CHECK(!MPI_Topo_test(ring, &status) && status == MPI_GRAPH);
  CHECK(!MPI_Graphdims_get(ring, &nodes, &all) && nodes == size && all == 2 * size);
  CHECK(!MPI_Graph_neighbors_count(ring, rank, &count) && count == 2);
  CHECK(!MPI_Graph_neighbors(ring, rank, 2, around));
  CHECK(around[0] == edges[2 * rank] && around[1] == edges[2 * rank + 1]);
  CHECK(!MPI_Graph_get(ring, size, 2 * size, index, edges) && index[size - 1] == 2 * size);
  CHECK(!MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, ring));
  CHECK(in[0] == around[0] && in[1] == around[1]);
  MPI_Comm_free(&ring);
  free(index);
  free(edges);
}

/* To the next three ranks, as far as they are; from the three before. */
static void check_edges(MPI_Comm comm) {
  int in, out, weighted, status;
  CHECK(!MPI_Topo_test(comm, &status) && status == MPI_DIST_GRAPH);
  CHECK(!MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted) && in == 3 && out == 3 && weighted);
  int from[3], to[3], weights_in[3], weights_out[3], data_out[3], data_in[3];
  CHECK(!MPI_Dist_graph_neighbors(comm, 3, from, weights_in, 3, to, weights_out));
  for (int i = 0; i < 3; ++i) {
    data_out[i] = rank * 1000 + to[i];
    CHECK(weights_out[i] >= 1 && weights_out[i] <= 3 && to[i] == (rank + weights_out[i]) % size);
    CHECK(weights_in[i] >= 1 && weights_in[i] <= 3 && from[i] == (rank + 3 * size - weights_in[i]) % size);
  }
  CHECK(!MPI_Neighbor_alltoall(data_out, 1, MPI_INT, data_in, 1, MPI_INT, comm));
  for (int i = 0; i < 3; ++i) CHECK(data_in[i] == from[i] * 1000 + rank);
  MPI_Request request;
  CHECK(!MPI_Ineighbor_allgather(&rank, 1, MPI_INT, data_in, 1, MPI_INT, comm, &request));
  CHECK(!MPI_Wait(&request, MPI_STATUS_IGNORE));
  for (int i = 0; i < 3; ++i) CHECK(data_in[i] == from[i]);
}

static void distributed(void) {
  MPI_Comm comm;
  int from[3], to[3], weights[] = {1, 2, 3}, degree = 3;
  for (int i = 0; i < 3; ++i) {
    to[i] = (rank + i + 1) % size;
    from[i] = (rank + 3 * size - i - 1) % size;
  }
  CHECK(!MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 3, from, weights, 3, to, weights, MPI_INFO_NULL, 0, &comm));
  check_edges(comm);
  MPI_Comm_free(&comm);
  /* Each rank tells of the edges of the next one. */
  int source = (rank + 1) % size;
  for (int i = 0; i < 3; ++i) to[i] = (source + i + 1) % size;
  CHECK(!MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &source, &degree, to, weights, MPI_INFO_NULL, 0, &comm));
  check_edges(comm);
  MPI_Comm_free(&comm);
  /* Nobody has neighbours. */
  int in, out, weighted;
  CHECK(!MPI_Dist_graph_create(MPI_COMM_WORLD, 0, NULL, NULL, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm));
  CHECK(!MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted) && in == 0 && out == 0 && !weighted);
  CHECK(!MPI_Neighbor_alltoall(&rank, 1, MPI_INT, &in, 1, MPI_INT, comm) && in == 0);
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = rank_of_world();
  size = size_of_world();
  graph();
  distributed();
  if (rank == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}
