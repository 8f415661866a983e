/* SPDX-License-Identifier: Apache-2.0 */
/* Heat spreads in a square plate whose north edge is hot and whose other edges are cold. The ranks stand in a grid,
   each has a block of the plate with one row or column of its neighbours' on each side, and computes what lies inside
   while these halos travel. Temperatures, and so the check sum, are the same bit by bit on any number of ranks. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kNorth, kSouth, kWest, kEast, kSides };

static int cells = 256, steps = 500, steps_between_looks = 50;
static double tolerance = 0.0;
static int is_quiet = 0;

static MPI_Comm grid;
static int rank, grid_size[2], place[2], neighbours[kSides];

/* A block has `rows` x `columns` cells of its own, with the halo around them. */
static int rows, columns, first_row, first_column;
static double *now, *next;
static MPI_Datatype column_type;

static double* cell(double* block, int row, int column) {
  return block + (size_t)(row + 1) * (size_t)(columns + 2) + (size_t)(column + 1);
}

static void usage(const char* name) {
  printf("%s [-n CELLS] [-s STEPS] [-t TOLERANCE] [-e STEPS] [-q]\n", name);
  printf("  -n  cells of an edge (%d)\n  -s  steps at most (%d)\n", cells, steps);
  printf("  -t  end when no cell changes by more (%g)\n  -e  steps between two looks at that (%d)\n", tolerance,
         steps_between_looks);
  printf("  -q  print the check sum alone\n");
}

/* Whether the run is to go on; when not, `*code` is what it ends with. */
static int read_options(int argc, char** argv, int* code) {
  int option;
  opterr = rank == 0;
  while ((option = getopt(argc, argv, "n:s:t:e:qh")) != -1) {
    if (option == 'n') cells = atoi(optarg);
    if (option == 's') steps = atoi(optarg);
    if (option == 't') tolerance = atof(optarg);
    if (option == 'e') steps_between_looks = atoi(optarg);
    if (option == 'q') is_quiet = 1;
    if (option == 'h' || option == '?') break;
  }
  if (option == -1 && cells > 0 && steps >= 0 && steps_between_looks > 0) return 1;
  if (rank == 0) usage(argv[0]);
  *code = option == 'h' ? 0 : 2;
  return 0;
}

static void make_grid(void) {
  const int periods[2] = {0, 0};
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, grid_size);
  MPI_Cart_create(MPI_COMM_WORLD, 2, grid_size, periods, 1, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_coords(grid, rank, 2, place);
  MPI_Cart_shift(grid, 0, 1, &neighbours[kNorth], &neighbours[kSouth]);
  MPI_Cart_shift(grid, 1, 1, &neighbours[kWest], &neighbours[kEast]);
}

/* Of `cells` cells those of one of `parts` parts. */
static int first_of(int part, int parts) { return (int)((long)cells * part / parts); }

static double temperature_at_start(int row, int column) {
  if (row < 0) return 1.0;
  if (row >= cells || column < 0 || column >= cells) return 0.0;
  return (double)((row * 7 + column * 3) % 11) / 32.0;
}

static void make_block(void) {
  first_row = first_of(place[0], grid_size[0]);
  first_column = first_of(place[1], grid_size[1]);
  rows = first_of(place[0] + 1, grid_size[0]) - first_row;
  columns = first_of(place[1] + 1, grid_size[1]) - first_column;
  const size_t bytes = sizeof(double) * (size_t)(rows + 2) * (size_t)(columns + 2);
  now = malloc(bytes);
  next = malloc(bytes);
  if (now == NULL || next == NULL) MPI_Abort(MPI_COMM_WORLD, 3);
  for (int row = -1; row <= rows; ++row)
    for (int column = -1; column <= columns; ++column)
      *cell(now, row, column) = temperature_at_start(first_row + row, first_column + column);
  memcpy(next, now, bytes);
  MPI_Type_vector(rows, 1, columns + 2, MPI_DOUBLE, &column_type);
  MPI_Type_commit(&column_type);
}

/* What is sent towards a side carries its number as the tag: it comes from the opposite side, whose number differs in
   the last bit. */
static void start_halos(MPI_Request requests[2 * kSides]) {
  double* const edges[kSides] = {cell(now, 0, 0), cell(now, rows - 1, 0), cell(now, 0, 0), cell(now, 0, columns - 1)};
  double* const halos[kSides] = {cell(now, -1, 0), cell(now, rows, 0), cell(now, 0, -1), cell(now, 0, columns)};
  for (int side = 0; side < kSides; ++side) {
    const int is_row = side == kNorth || side == kSouth;
    const MPI_Datatype type = is_row ? MPI_DOUBLE : column_type;
    const int count = is_row ? columns : 1;
    MPI_Irecv(halos[side], count, type, neighbours[side], side ^ 1, grid, &requests[side]);
    MPI_Isend(edges[side], count, type, neighbours[side], side, grid, &requests[kSides + side]);
  }
}

static void relax(int row, int from_column, int to_column) {
  for (int column = from_column; column < to_column; ++column)
    *cell(next, row, column) = 0.25 * ((*cell(now, row - 1, column) + *cell(now, row + 1, column)) +
                                       (*cell(now, row, column - 1) + *cell(now, row, column + 1)));
}

static void relax_inner(void) {
  for (int row = 1; row < rows - 1; ++row) relax(row, 1, columns - 1);
}

static void relax_edges(void) {
  relax(0, 0, columns);
  if (rows > 1) relax(rows - 1, 0, columns);
  for (int row = 1; row < rows - 1; ++row) {
    relax(row, 0, 1);
    if (columns > 1) relax(row, columns - 1, columns);
  }
}

static void step(void) {
  MPI_Request requests[2 * kSides];
  start_halos(requests);
  relax_inner();
  MPI_Waitall(2 * kSides, requests, MPI_STATUSES_IGNORE);
  relax_edges();
  double* const before = now;
  now = next;
  next = before;
}

/* The largest change of a cell of the plate in the last step. */
static double residual(void) {
  double largest = 0.0, of_all;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      largest = fmax(largest, fabs(*cell(now, row, column) - *cell(next, row, column)));
  MPI_Allreduce(&largest, &of_all, 1, MPI_DOUBLE, MPI_MAX, grid);
  return of_all;
}

/* A sum of integers, one for each cell, made of its place and of every bit of its temperature: unlike a sum of
   temperatures it does not depend on the order. */
static uint64_t check_sum(void) {
  uint64_t sum = 0, of_all;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      uint64_t bits;
      memcpy(&bits, cell(now, row, column), sizeof bits);
      bits ^= (uint64_t)(first_row + row) * (uint64_t)cells + (uint64_t)(first_column + column);
      bits *= 0x9e3779b97f4a7c15u;
      sum += bits ^ bits >> 29;
    }
  MPI_Allreduce(&sum, &of_all, 1, MPI_UINT64_T, MPI_SUM, grid);
  return of_all;
}

static void solve(void) {
  const double start = MPI_Wtime();
  double change = INFINITY;
  int done = 0;
  while (done < steps && change > tolerance) {
    step();
    if (++done % steps_between_looks == 0 || done == steps) change = residual();
  }
  const uint64_t sum = check_sum();
  const double seconds = MPI_Wtime() - start;
  if (rank != 0) return;
  if (!is_quiet)
    printf("%d x %d cells on %d x %d ranks: %d steps in %.3f s\n", cells, cells, grid_size[0], grid_size[1], done,
           seconds);
  printf("steps %d, residual %.17g, check sum %016llx\n", done, change, (unsigned long long)sum);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int code = 0;
  if (read_options(argc, argv, &code)) {
    make_grid();
    if (cells >= grid_size[0]) {
      make_block();
      solve();
      MPI_Type_free(&column_type);
      free(now);
      free(next);
    } else {
      if (rank == 0)
        fprintf(stderr, "%d cells an edge are too few for %d ranks: give more by -n\n", cells, grid_size[0]);
      code = 2;
    }
    MPI_Comm_free(&grid);
  }
  MPI_Finalize();
  return code;
}
