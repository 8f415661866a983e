/* SPDX-License-Identifier: Apache-2.0 */
/* Puts, gets and accumulates between fences, for windows of all flavours. */
#include "check.h"
#include "windows.h"

static int me, ranks;

static void put_in_a_ring(struct window* w) {
  const int to = (me + 1) % ranks, from = (me + ranks - 1) % ranks;
  int values[3] = {100 * me, 100 * me + 1, 100 * me + 2}, got[3] = {-1, -1, -1};
  CHECK(MPI_Win_fence(MPI_MODE_NOPRECEDE, w->win) == MPI_SUCCESS);
  CHECK(MPI_Put(values, 3, MPI_INT, to, place(w, to, 1), 3, MPI_INT, w->win) == MPI_SUCCESS);
  CHECK(MPI_Put(values, 3, MPI_INT, MPI_PROC_NULL, 0, 3, MPI_INT, w->win) == MPI_SUCCESS);
  CHECK(MPI_Win_fence(0, w->win) == MPI_SUCCESS);
  for (int i = 0; i < 3; ++i) CHECK(w->memory[1 + i] == 100 * from + i);
  CHECK(MPI_Get(got, 3, MPI_INT, to, place(w, to, 1), 3, MPI_INT, w->win) == MPI_SUCCESS);
  CHECK(MPI_Win_fence(MPI_MODE_NOSUCCEED | MPI_MODE_NOPUT | MPI_MODE_NOSTORE, w->win) == MPI_SUCCESS);
  for (int i = 0; i < 3; ++i) CHECK(got[i] == values[i]);
}

static void accumulate_at_all(struct window* w) {
  const int one = 1;
  CHECK(MPI_Win_fence(0, w->win) == MPI_SUCCESS);
  w->memory[5] = 7;
  w->memory[6] = 0;
  CHECK(MPI_Win_fence(0, w->win) == MPI_SUCCESS);
  for (int to = 0; to < ranks; ++to) {
    CHECK(MPI_Accumulate(&one, 1, MPI_INT, to, place(w, to, 5), 1, MPI_INT, MPI_SUM, w->win) == MPI_SUCCESS);
    CHECK(MPI_Accumulate(&me, 1, MPI_INT, to, place(w, to, 6), 1, MPI_INT, MPI_MAX, w->win) == MPI_SUCCESS);
  }
  CHECK(MPI_Win_fence(0, w->win) == MPI_SUCCESS);
  CHECK(w->memory[5] == 7 + ranks && w->memory[6] == ranks - 1);
  CHECK(MPI_Win_fence(MPI_MODE_NOSUCCEED, w->win) == MPI_SUCCESS);
}

/* Columns of a matrix to every other element, and structures whose elements are of one type. */
static void types_with_gaps(struct window* w) {
  const int to = (me + 1) % ranks, from = (me + ranks - 1) % ranks;
  int matrix[4][3], got[4] = {0, 0, 0, 0};
  MPI_Datatype column, spread, pieces;
  const int lengths[2] = {1, 2}, starts[2] = {3, 0};
  MPI_Type_vector(4, 1, 3, MPI_INT, &column);
  MPI_Type_vector(4, 1, 2, MPI_INT, &spread);
  MPI_Type_indexed(2, lengths, starts, MPI_INT, &pieces);
  MPI_Type_commit(&column);
  MPI_Type_commit(&spread);
  MPI_Type_commit(&pieces);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 3; ++j) matrix[i][j] = 1000 * me + 10 * i + j;
  for (int i = 0; i < w->ints; ++i) w->memory[i] = -1;
  CHECK(MPI_Win_fence(0, w->win) == MPI_SUCCESS);
  CHECK(MPI_Put(&matrix[0][1], 1, column, to, place(w, to, 8), 1, spread, w->win) == MPI_SUCCESS);
  MPI_Type_free(&column);
  CHECK(MPI_Win_fence(0, w->win) == MPI_SUCCESS);
  for (int i = 0; i < 4; ++i) {
    CHECK(w->memory[8 + 2 * i] == 1000 * from + 10 * i + 1);
    CHECK(w->memory[9 + 2 * i] == -1);
  }
  CHECK(MPI_Get(got, 4, MPI_INT, to, place(w, to, 8), 1, spread, w->win) == MPI_SUCCESS);
  CHECK(MPI_Accumulate(&matrix[0][0], 3, MPI_INT, to, place(w, to, 0), 1, pieces, MPI_REPLACE, w->win) == MPI_SUCCESS);
  MPI_Type_free(&spread);
  CHECK(MPI_Win_fence(0, w->win) == MPI_SUCCESS);
  for (int i = 0; i < 4; ++i) CHECK(got[i] == 1000 * me + 10 * i + 1);
  CHECK(w->memory[3] == 1000 * from && w->memory[0] == 1000 * from + 1 && w->memory[1] == 1000 * from + 2);
  CHECK(w->memory[2] == -1);
  CHECK(MPI_Win_fence(0, w->win) == MPI_SUCCESS);
  CHECK(MPI_Accumulate(&matrix[0][0], 3, MPI_INT, to, place(w, to, 0), 1, pieces, MPI_SUM, w->win) == MPI_SUCCESS);
  MPI_Type_free(&pieces);
  CHECK(MPI_Win_fence(MPI_MODE_NOSUCCEED, w->win) == MPI_SUCCESS);
  CHECK(w->memory[3] == 2000 * from && w->memory[0] == 2000 * from + 2 && w->memory[1] == 2000 * from + 4);
}

static void much_at_once(int flavor) {
  enum { kInts = 300000 };
  struct window w = make_window(flavor, kInts);
  const int to = (me + 1) % ranks, from = (me + ranks - 1) % ranks;
  int* const values = malloc(kInts * sizeof(int));
  int* const got = malloc(kInts * sizeof(int));
  for (int i = 0; i < kInts; ++i) values[i] = i ^ me;
  CHECK(MPI_Win_fence(0, w.win) == MPI_SUCCESS);
  CHECK(MPI_Put(values, kInts, MPI_INT, to, place(&w, to, 0), kInts, MPI_INT, w.win) == MPI_SUCCESS);
  CHECK(MPI_Win_fence(0, w.win) == MPI_SUCCESS);
  for (int i = 0; i < kInts; ++i) CHECK(w.memory[i] == (i ^ from));
  CHECK(MPI_Get(got, kInts, MPI_INT, to, place(&w, to, 0), kInts, MPI_INT, w.win) == MPI_SUCCESS);
  CHECK(MPI_Win_fence(0, w.win) == MPI_SUCCESS);
  CHECK(memcmp(got, values, kInts * sizeof(int)) == 0);
  CHECK(MPI_Accumulate(values, kInts, MPI_INT, to, place(&w, to, 0), kInts, MPI_INT, MPI_BXOR, w.win) == MPI_SUCCESS);
  CHECK(MPI_Win_fence(MPI_MODE_NOSUCCEED, w.win) == MPI_SUCCESS);
  for (int i = 0; i < kInts; ++i) CHECK(w.memory[i] == 0);
  free(values);
  free(got);
  free_window(&w);
}

/* Ranks without memory, and with other units. */
static void parts_that_differ(void) {
  char bytes[16] = {0};
  double value = me + 0.5, got = 0;
  MPI_Win win;
  const int has = me % 2 == 0, unit = me % 4 == 0 ? 1 : 8;
  CHECK(MPI_Win_create(has ? bytes : NULL, has ? 16 : 0, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &win) == MPI_SUCCESS);
  CHECK(MPI_Win_fence(0, win) == MPI_SUCCESS);
  const int to = me - me % 2;
  const MPI_Aint second = to % 4 == 0 ? 8 : 1;
  if (me % 2 == 1) CHECK(MPI_Put(&value, 1, MPI_DOUBLE, to, second, 1, MPI_DOUBLE, win) == MPI_SUCCESS);
  CHECK(MPI_Put(&value, 0, MPI_DOUBLE, me, 0, 0, MPI_DOUBLE, win) == MPI_SUCCESS);
  CHECK(MPI_Win_fence(0, win) == MPI_SUCCESS);
  if (me % 2 == 0) memcpy(&got, bytes + 8, sizeof got);
  if (me % 2 == 0 && me + 1 < ranks) CHECK(got == me + 1.5);
  CHECK(MPI_Win_free(&win) == MPI_SUCCESS);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  me = rank_of_world();
  ranks = size_of_world();
  for (int flavor = 0; flavor < kFlavors; ++flavor) {
    struct window w = make_window(flavor, 32);
    put_in_a_ring(&w);
    accumulate_at_all(&w);
    types_with_gaps(&w);
    free_window(&w);
    much_at_once(flavor);
  }
  parts_that_differ();
  if (me == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}
