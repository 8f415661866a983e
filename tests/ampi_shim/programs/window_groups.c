/* SPDX-License-Identifier: Apache-2.0 */
/* Epochs of groups: MPI_Win_post, MPI_Win_start, MPI_Win_complete, MPI_Win_wait and MPI_Win_test. */
#include "check.h"
#include "windows.h"

static int me, ranks;

static MPI_Group group_of_ranks(const int* chosen, int count) {
  MPI_Group world, group;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, count, chosen, &group);
  MPI_Group_free(&world);
  return group;
}

/* Each rank puts to the next one, again and again; those that wait do so by waits and by tests. */
static void in_a_ring(struct window* w, int assertion) {
  const int to = (me + 1) % ranks, from = (me + ranks - 1) % ranks;
  MPI_Group targets = group_of_ranks(&to, 1), origins = group_of_ranks(&from, 1);
  for (int round = 0; round < 10; ++round) {
    const int value = 1000 * round + me;
    int is_done = 0;
    CHECK(MPI_Win_post(origins, assertion, w->win) == MPI_SUCCESS);
    if (assertion & MPI_MODE_NOCHECK) MPI_Barrier(MPI_COMM_WORLD);
    CHECK(MPI_Win_start(targets, assertion & MPI_MODE_NOCHECK, w->win) == MPI_SUCCESS);
    CHECK(MPI_Put(&value, 1, MPI_INT, to, place(w, to, 0), 1, MPI_INT, w->win) == MPI_SUCCESS);
    CHECK(MPI_Win_complete(w->win) == MPI_SUCCESS);
    if (round % 2 == 0) CHECK(MPI_Win_wait(w->win) == MPI_SUCCESS);
    while (round % 2 == 1 && !is_done) CHECK(MPI_Win_test(w->win, &is_done) == MPI_SUCCESS);
    CHECK(w->memory[0] == 1000 * round + from);
  }
  MPI_Group_free(&targets);
  MPI_Group_free(&origins);
}

/* All others access rank 0, which gets all that they add. */
static void to_one(struct window* w) {
  int* const others = malloc((size_t)ranks * sizeof(int));
  for (int i = 0; i < ranks; ++i) others[i] = i;
  MPI_Group all = group_of_ranks(others + 1, ranks - 1), first = group_of_ranks(others, 1);
  for (int round = 1; round <= 5; ++round) {
    int seen = -1;
    if (me == 0) {
      w->memory[1] = 0;
      CHECK(MPI_Win_post(all, 0, w->win) == MPI_SUCCESS);
      CHECK(MPI_Win_wait(w->win) == MPI_SUCCESS);
      CHECK(w->memory[1] == round * ranks * (ranks - 1) / 2);
    } else {
      const int value = round * me;
      CHECK(MPI_Win_start(first, 0, w->win) == MPI_SUCCESS);
      CHECK(MPI_Accumulate(&value, 1, MPI_INT, 0, place(w, 0, 1), 1, MPI_INT, MPI_SUM, w->win) == MPI_SUCCESS);
      CHECK(MPI_Get(&seen, 1, MPI_INT, 0, place(w, 0, 2), 1, MPI_INT, w->win) == MPI_SUCCESS);
      CHECK(MPI_Win_complete(w->win) == MPI_SUCCESS);
      CHECK(seen == 0);
    }
  }
  MPI_Group_free(&all);
  MPI_Group_free(&first);
  free(others);
}

/* A rank may expose its window and access those of others at once; the groups may be empty. */
static void nobody(struct window* w) {
  int is_done = 0;
  CHECK(MPI_Win_post(MPI_GROUP_EMPTY, 0, w->win) == MPI_SUCCESS);
  CHECK(MPI_Win_start(MPI_GROUP_EMPTY, 0, w->win) == MPI_SUCCESS);
  CHECK(MPI_Win_complete(w->win) == MPI_SUCCESS);
  CHECK(MPI_Win_test(w->win, &is_done) == MPI_SUCCESS && is_done);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  me = rank_of_world();
  ranks = size_of_world();
  for (int flavor = 0; flavor < kFlavors; ++flavor) {
    struct window w = make_window(flavor, 4);
    in_a_ring(&w, 0);
    in_a_ring(&w, MPI_MODE_NOCHECK);
    in_a_ring(&w, MPI_MODE_NOSTORE);
    to_one(&w);
    nobody(&w);
    free_window(&w);
  }
  if (me == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}
