/* SPDX-License-Identifier: Apache-2.0 */
/* Cartesian topologies, and exchanges with the neighbours in them. Any number of ranks. */
#include <stdlib.h>

#include "check.h"
#include "collective_forms.h"

static int rank, size;

static void queries(MPI_Comm grid, int dims[2]) {
  int status, ndims, sizes[2], periods[2], at[2], same, coords[2];
  CHECK(!MPI_Topo_test(grid, &status) && status == MPI_CART);
  CHECK(!MPI_Topo_test(MPI_COMM_WORLD, &status) && status == MPI_UNDEFINED);
  CHECK(!MPI_Cartdim_get(grid, &ndims) && ndims == 2);
  CHECK(!MPI_Cart_get(grid, 2, sizes, periods, at));
  CHECK(sizes[0] == dims[0] && sizes[1] == dims[1] && periods[0] == 1 && periods[1] == 0);
  CHECK(!MPI_Cart_rank(grid, at, &same) && same == rank);
  for (int i = 0; i < size; ++i) {
    CHECK(!MPI_Cart_coords(grid, i, 2, coords) && coords[0] == i / dims[1] && coords[1] == i % dims[1]);
  }
  coords[0] = at[0] - dims[0];
  coords[1] = at[1];
  CHECK(!MPI_Cart_rank(grid, coords, &same) && same == rank);
}

static void shifts(MPI_Comm grid, int dims[2]) {
  int from, to, got = -1;
  const int row = rank / dims[1], column = rank % dims[1];
  CHECK(!MPI_Cart_shift(grid, 0, 1, &from, &to));
  CHECK(to == (row + 1) % dims[0] * dims[1] + column);
  CHECK(from == (row + dims[0] - 1) % dims[0] * dims[1] + column);
  CHECK(!MPI_Sendrecv(&rank, 1, MPI_INT, to, 0, &got, 1, MPI_INT, from, 0, grid, MPI_STATUS_IGNORE) && got == from);
  CHECK(!MPI_Cart_shift(grid, 1, 1, &from, &to));
  CHECK(to == (column + 1 < dims[1] ? rank + 1 : MPI_PROC_NULL));
  CHECK(from == (column > 0 ? rank - 1 : MPI_PROC_NULL));
}

static int value(int from, int slot) { return from * 10 + slot; }

/* Slots: down and up in dimension 0, then in dimension 1. */
static void neighbours(MPI_Comm grid, enum form form) {
  int peers[4], out[4], in[4] = {-1, -1, -1, -1};
  MPI_Cart_shift(grid, 0, 1, &peers[0], &peers[1]);
  MPI_Cart_shift(grid, 1, 1, &peers[2], &peers[3]);
  for (int i = 0; i < 4; ++i) out[i] = value(rank, i);
  COLLECTIVE(form, MPI_Neighbor_allgather, MPI_Ineighbor_allgather, &rank, 1, MPI_INT, in, 1, MPI_INT, grid);
  for (int i = 0; i < 4; ++i) CHECK(in[i] == (peers[i] == MPI_PROC_NULL ? -1 : peers[i]));
  COLLECTIVE(form, MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall, out, 1, MPI_INT, in, 1, MPI_INT, grid);
  for (int i = 0; i < 4; ++i) CHECK(in[i] == (peers[i] == MPI_PROC_NULL ? -1 : value(peers[i], i ^ 1)));
  const int counts[] = {1, 0, 1, 1}, counts_in[] = {0, 1, 1, 1}, places[] = {3, 2, 1, 0};
  for (int i = 0; i < 4; ++i) out[3 - i] = value(rank, i), in[i] = -1;
  COLLECTIVE_OF_LISTS(form, MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv, out, counts, places, MPI_INT, in,
                      counts_in, places, MPI_INT, grid);
  for (int i = 0; i < 4; ++i)
    CHECK(in[3 - i] == (peers[i] == MPI_PROC_NULL || counts_in[i] == 0 ? -1 : value(peers[i], i ^ 1)));
}

static void parts(MPI_Comm grid, int dims[2]) {
  MPI_Comm row, column, none;
  int me, ranks, ndims, keep_row[] = {0, 1}, keep_column[] = {1, 0}, keep_none[] = {0, 0};
  CHECK(!MPI_Cart_sub(grid, keep_row, &row));
  CHECK(!MPI_Comm_rank(row, &me) && me == rank % dims[1] && !MPI_Comm_size(row, &ranks) && ranks == dims[1]);
  CHECK(!MPI_Cart_sub(grid, keep_column, &column));
  CHECK(!MPI_Comm_rank(column, &me) && me == rank / dims[1] && !MPI_Comm_size(column, &ranks) && ranks == dims[0]);
  CHECK(!MPI_Cart_sub(grid, keep_none, &none));
  CHECK(!MPI_Comm_size(none, &ranks) && ranks == 1 && !MPI_Cartdim_get(none, &ndims) && ndims == 0);
  MPI_Comm_free(&row);
  MPI_Comm_free(&column);
  MPI_Comm_free(&none);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = rank_of_world();
  size = size_of_world();
  int dims[2] = {0, 0}, periods[] = {1, 0}, status;
  MPI_Comm grid, copy, small;
  CHECK(!MPI_Dims_create(size, 2, dims) && dims[0] * dims[1] == size && dims[0] >= dims[1]);
  CHECK(!MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid));
  queries(grid, dims);
  shifts(grid, dims);
  for (enum form form = BLOCKING; form < FORMS; ++form) neighbours(grid, form);
  parts(grid, dims);
  CHECK(!MPI_Comm_dup(grid, &copy) && !MPI_Topo_test(copy, &status) && status == MPI_CART);
  neighbours(copy, BLOCKING);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&grid);
  /* Fewer places than ranks. */
  const int one = size > 1 ? size - 1 : 1;
  CHECK(!MPI_Cart_create(MPI_COMM_WORLD, 1, &one, periods, 0, &small));
  CHECK((small == MPI_COMM_NULL) == (rank >= one));
  if (small != MPI_COMM_NULL) MPI_Comm_free(&small);
  if (rank == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}
