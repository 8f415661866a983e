/* SPDX-License-Identifier: Apache-2.0 */
/* Locks, flushes, atomic operations and requests, for windows of all flavours. */
#include "check.h"
#include "windows.h"

static int me, ranks;

/* Counters that ranks read and write under exclusive locks: none is lost. */
static void count_under_locks(struct window* w) {
  enum { kRounds = 20 };
  for (int round = 0; round < kRounds; ++round) {
    const int to = (me + round) % ranks;
    int value;
    CHECK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, to, 0, w->win) == MPI_SUCCESS);
    CHECK(MPI_Get(&value, 1, MPI_INT, to, place(w, to, 0), 1, MPI_INT, w->win) == MPI_SUCCESS);
    CHECK(MPI_Win_flush(to, w->win) == MPI_SUCCESS);
    ++value;
    CHECK(MPI_Put(&value, 1, MPI_INT, to, place(w, to, 0), 1, MPI_INT, w->win) == MPI_SUCCESS);
    CHECK(MPI_Win_unlock(to, w->win) == MPI_SUCCESS);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  int sum = 0, all = 0;
  CHECK(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, w->win) == MPI_SUCCESS);
  sum = w->memory[0];
  CHECK(MPI_Win_unlock(me, w->win) == MPI_SUCCESS);
  MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(all == kRounds * ranks);
}

/* Tickets: each number is given once. */
static void take_tickets(struct window* w) {
  enum { kTickets = 16 };
  const int one = 1;
  int* const seen = calloc((size_t)(ranks * kTickets), sizeof(int));
  CHECK(MPI_Win_lock_all(0, w->win) == MPI_SUCCESS);
  for (int i = 0; i < kTickets; ++i) {
    int ticket = -1;
    CHECK(MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, place(w, 0, 1), MPI_SUM, w->win) == MPI_SUCCESS);
    CHECK(MPI_Win_flush_local(0, w->win) == MPI_SUCCESS);
    CHECK(ticket >= 0 && ticket < ranks * kTickets);
    ++seen[ticket];
  }
  CHECK(MPI_Win_flush_all(w->win) == MPI_SUCCESS);
  CHECK(MPI_Win_flush_local_all(w->win) == MPI_SUCCESS);
  CHECK(MPI_Win_unlock_all(w->win) == MPI_SUCCESS);
  MPI_Allreduce(MPI_IN_PLACE, seen, ranks * kTickets, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < ranks * kTickets; ++i) CHECK(seen[i] == 1);
  free(seen);
}

/* A spin lock of the program's own: a rank that looks for it lets others run. */
static void spin_on_compared_swaps(struct window* w) {
  const int mine = me + 1, none = 0;
  int found, value;
  CHECK(MPI_Win_lock_all(0, w->win) == MPI_SUCCESS);
  for (int round = 0; round < 3; ++round) {
    do {
      CHECK(MPI_Compare_and_swap(&mine, &none, &found, MPI_INT, 0, place(w, 0, 2), w->win) == MPI_SUCCESS);
      CHECK(MPI_Win_flush(0, w->win) == MPI_SUCCESS);
    } while (found != 0);
    CHECK(MPI_Get(&value, 1, MPI_INT, 0, place(w, 0, 3), 1, MPI_INT, w->win) == MPI_SUCCESS);
    CHECK(MPI_Win_flush(0, w->win) == MPI_SUCCESS);
    ++value;
    CHECK(MPI_Put(&value, 1, MPI_INT, 0, place(w, 0, 3), 1, MPI_INT, w->win) == MPI_SUCCESS);
    CHECK(MPI_Win_flush(0, w->win) == MPI_SUCCESS);
    CHECK(MPI_Fetch_and_op(&none, &found, MPI_INT, 0, place(w, 0, 2), MPI_REPLACE, w->win) == MPI_SUCCESS);
    CHECK(MPI_Win_flush(0, w->win) == MPI_SUCCESS);
    CHECK(found == mine);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(MPI_Fetch_and_op(NULL, &value, MPI_INT, 0, place(w, 0, 3), MPI_NO_OP, w->win) == MPI_SUCCESS);
  CHECK(MPI_Win_unlock_all(w->win) == MPI_SUCCESS);
  CHECK(value == 3 * ranks);
}

static void requests(struct window* w) {
  const int to = (me + 1) % ranks, mine[2] = {me + 10, me + 20}, ones[2] = {1, 1};
  int got[2] = {0, 0}, before[2] = {0, 0};
  MPI_Request request, several[2];
  MPI_Status status;
  CHECK(MPI_Win_lock_all(MPI_MODE_NOCHECK, w->win) == MPI_SUCCESS);
  CHECK(MPI_Rput(mine, 2, MPI_INT, to, place(w, to, 4), 2, MPI_INT, w->win, &request) == MPI_SUCCESS);
  CHECK(MPI_Wait(&request, &status) == MPI_SUCCESS && request == MPI_REQUEST_NULL);
  CHECK(MPI_Win_flush(to, w->win) == MPI_SUCCESS);
  CHECK(MPI_Rget(got, 2, MPI_INT, to, place(w, to, 4), 2, MPI_INT, w->win, &request) == MPI_SUCCESS);
  CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(got[0] == me + 10 && got[1] == me + 20);
  CHECK(MPI_Rget_accumulate(ones, 2, MPI_INT, before, 2, MPI_INT, to, place(w, to, 4), 2, MPI_INT, MPI_SUM, w->win,
                            &several[0]) == MPI_SUCCESS);
  CHECK(MPI_Raccumulate(ones, 2, MPI_INT, to, place(w, to, 4), 2, MPI_INT, MPI_SUM, w->win, &several[1]) ==
        MPI_SUCCESS);
  CHECK(MPI_Waitall(2, several, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
  CHECK(before[0] == me + 10 && before[1] == me + 20);
  CHECK(MPI_Rput(mine, 2, MPI_INT, MPI_PROC_NULL, 0, 2, MPI_INT, w->win, &request) == MPI_SUCCESS);
  CHECK(MPI_Wait(&request, &status) == MPI_SUCCESS);
  CHECK(MPI_Win_unlock_all(w->win) == MPI_SUCCESS);
  MPI_Barrier(MPI_COMM_WORLD);
  const int from = (me + ranks - 1) % ranks;
  CHECK(w->memory[4] == from + 12 && w->memory[5] == from + 22);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Accumulates of one rank at one place keep their order: only the last replacement stays. */
static void accumulates_in_order(struct window* w) {
  const int to = (me + 1) % ranks;
  int last = -1;
  CHECK(MPI_Win_lock(MPI_LOCK_SHARED, to, 0, w->win) == MPI_SUCCESS);
  for (int i = 0; i < 500; ++i)
    CHECK(MPI_Accumulate(&i, 1, MPI_INT, to, place(w, to, 6), 1, MPI_INT, MPI_REPLACE, w->win) == MPI_SUCCESS);
  CHECK(MPI_Get_accumulate(NULL, 0, MPI_INT, &last, 1, MPI_INT, to, place(w, to, 6), 1, MPI_INT, MPI_NO_OP, w->win) ==
        MPI_SUCCESS);
  CHECK(MPI_Win_unlock(to, w->win) == MPI_SUCCESS);
  CHECK(last == 499);
}

/* Pairs, which have gaps, and every kind of lock at once. */
static void locations(int flavor) {
  struct {
    double value;
    int index;
  } mine = {(me * 7) % ranks, me}, *memory;
  MPI_Win win;
  if (flavor == kCreated) {
    memory = calloc(1, sizeof *memory);
    CHECK(MPI_Win_create(memory, sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win) == MPI_SUCCESS);
  } else {
    CHECK(MPI_Win_allocate(sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win) == MPI_SUCCESS);
  }
  memory->value = -1;
  memory->index = -1;
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win) == MPI_SUCCESS);
  CHECK(MPI_Accumulate(&mine, 1, MPI_DOUBLE_INT, 0, 0, 1, MPI_DOUBLE_INT, MPI_MAXLOC, win) == MPI_SUCCESS);
  CHECK(MPI_Win_unlock(0, win) == MPI_SUCCESS);
  MPI_Barrier(MPI_COMM_WORLD);
  double most = mine.value;
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0) CHECK(memory->value == most && (memory->index * 7) % ranks == (int)most);
  CHECK(MPI_Win_free(&win) == MPI_SUCCESS);
  if (flavor == kCreated) free(memory);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  me = rank_of_world();
  ranks = size_of_world();
  for (int flavor = 0; flavor < kFlavors; ++flavor) {
    struct window w = make_window(flavor, 8);
    count_under_locks(&w);
    take_tickets(&w);
    spin_on_compared_swaps(&w);
    requests(&w);
    accumulates_in_order(&w);
    free_window(&w);
  }
  locations(kCreated);
  locations(kAllocated);
  if (me == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}
