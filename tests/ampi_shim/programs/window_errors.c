/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong uses of windows give the error class that the standard names, and the next right use works. */
#include "check.h"
#include "windows.h"

static int me, ranks;
static int calls, last_code;

static void count_error(MPI_Win* win, int* code, ...) {
  CHECK(*win != MPI_WIN_NULL);
  ++calls;
  last_code = *code;
}

static int value;

static void arguments_of_creation(void) {
  MPI_Win win = MPI_WIN_NULL;
  int* base;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  CHECK(MPI_Win_create(&value, -1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win) == MPI_ERR_SIZE);
  CHECK(MPI_Win_create(&value, 4, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &win) == MPI_ERR_DISP);
  CHECK(MPI_Win_create(NULL, 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win) == MPI_ERR_BUFFER);
  CHECK(MPI_Win_create(&value, 4, 1, MPI_INFO_NULL, MPI_COMM_NULL, &win) == MPI_ERR_COMM);
  CHECK(MPI_Win_create(&value, 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, NULL) == MPI_ERR_ARG);
  CHECK(MPI_Win_allocate(-4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win) == MPI_ERR_SIZE);
  CHECK(MPI_Win_allocate(4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, NULL, &win) == MPI_ERR_ARG);
  CHECK(MPI_Win_allocate_shared(4, -1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win) == MPI_ERR_DISP);
  CHECK(MPI_Win_allocate((MPI_Aint)1 << 62, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win) == MPI_ERR_NO_MEM);
  CHECK(MPI_Win_allocate_shared(me == 0 ? (MPI_Aint)1 << 50 : 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win) ==
        MPI_ERR_NO_MEM);
  CHECK(win == MPI_WIN_NULL);
  CHECK(MPI_Win_free(&win) == MPI_ERR_WIN);
  CHECK(MPI_Win_fence(0, MPI_WIN_NULL) == MPI_ERR_WIN);
  CHECK(MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_WIN_NULL) == MPI_ERR_WIN);
  CHECK(MPI_Win_sync((MPI_Win)&value) == MPI_ERR_WIN);
}

static void arguments_of_accesses(struct window* w) {
  MPI_Datatype mixed, never_committed;
  MPI_Request request;
  MPI_Op operation;
  const int lengths[2] = {1, 1};
  const MPI_Aint starts[2] = {0, 4};
  const MPI_Datatype types[2] = {MPI_INT, MPI_FLOAT};
  const MPI_Win win = w->win;
  const MPI_Aint at = place(w, 0, 0);
  MPI_Type_create_struct(2, lengths, starts, types, &mixed);
  MPI_Type_commit(&mixed);
  MPI_Type_contiguous(2, MPI_INT, &never_committed);
  MPI_Op_create((MPI_User_function*)(MPI_Aint)&count_error, 1, &operation);
  CHECK(MPI_Win_lock_all(0, win) == MPI_SUCCESS);
  CHECK(MPI_Put(&value, 1, MPI_INT, ranks, at, 1, MPI_INT, win) == MPI_ERR_RANK);
  CHECK(MPI_Put(&value, -1, MPI_INT, 0, at, 1, MPI_INT, win) == MPI_ERR_COUNT);
  CHECK(MPI_Put(&value, 1, MPI_INT, 0, at, -1, MPI_INT, win) == MPI_ERR_COUNT);
  CHECK(MPI_Put(&value, 1, MPI_DATATYPE_NULL, 0, at, 1, MPI_INT, win) == MPI_ERR_TYPE);
  CHECK(MPI_Put(&value, 1, MPI_INT, 0, at, 1, never_committed, win) == MPI_ERR_TYPE);
  CHECK(MPI_Put(NULL, 1, MPI_INT, 0, at, 1, MPI_INT, win) == MPI_ERR_BUFFER);
  CHECK(MPI_Put(w->memory, 2, MPI_INT, 0, at, 1, MPI_INT, win) == MPI_ERR_TRUNCATE);
  CHECK(MPI_Get(w->memory, 1, MPI_INT, 0, at, 2, MPI_INT, win) == MPI_ERR_TRUNCATE);
  CHECK(MPI_Accumulate(&value, 1, MPI_INT, 0, at, 1, MPI_INT, MPI_OP_NULL, win) == MPI_ERR_OP);
  CHECK(MPI_Accumulate(&value, 1, MPI_INT, 0, at, 1, MPI_INT, operation, win) == MPI_ERR_OP);
  CHECK(MPI_Accumulate(&value, 1, MPI_INT, 0, at, 1, MPI_INT, MPI_NO_OP, win) == MPI_ERR_OP);
  CHECK(MPI_Accumulate(&value, 1, MPI_INT, 0, at, 1, MPI_INT, MPI_MAXLOC, win) == MPI_ERR_OP);
  CHECK(MPI_Accumulate(&value, 1, MPI_INT, 0, at, 1, MPI_FLOAT, MPI_SUM, win) == MPI_ERR_TYPE);
  CHECK(MPI_Accumulate(w->memory, 1, mixed, 0, at, 1, mixed, MPI_SUM, win) == MPI_ERR_TYPE);
  CHECK(MPI_Fetch_and_op(w->memory, w->memory, mixed, 0, at, MPI_SUM, win) == MPI_ERR_TYPE);
  CHECK(MPI_Compare_and_swap(&value, &value, &value, MPI_FLOAT, 0, at, win) == MPI_ERR_TYPE);
  CHECK(MPI_Rput(&value, 1, MPI_INT, 0, at, 1, MPI_INT, win, NULL) == MPI_ERR_ARG);
  CHECK(MPI_Rput(&value, 1, MPI_INT, -7, at, 1, MPI_INT, win, &request) == MPI_ERR_RANK);
  CHECK(MPI_Win_unlock_all(win) == MPI_SUCCESS);
  MPI_Op_free(&operation);
  MPI_Type_free(&mixed);
  MPI_Type_free(&never_committed);
}

/* Beyond the window: known at the origin, or told by the target at the next synchronization. */
static void memory_beyond(struct window* w) {
  const MPI_Win win = w->win;
  const int to = ranks - 1;
  CHECK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, to, 0, win) == MPI_SUCCESS);
  if (w->flavor == kDynamic) {
    int code = MPI_Put(&value, 1, MPI_INT, to, place(w, to, w->ints), 1, MPI_INT, win);
    if (code == MPI_SUCCESS) code = MPI_Win_flush(to, win);
    CHECK(code == MPI_ERR_RMA_RANGE);
  } else {
    CHECK(MPI_Put(&value, 1, MPI_INT, to, w->ints, 1, MPI_INT, win) == MPI_ERR_RMA_RANGE);
    CHECK(MPI_Put(&value, 1, MPI_INT, to, (MPI_Aint)1 << 62, 1, MPI_INT, win) == MPI_ERR_RMA_RANGE);
    CHECK(MPI_Get(&value, 1, MPI_INT, to, -1, 1, MPI_INT, win) == MPI_ERR_DISP);
    CHECK(MPI_Accumulate(w->memory, 2, MPI_INT, to, w->ints - 1, 2, MPI_INT, MPI_SUM, win) == MPI_ERR_RMA_RANGE);
  }
  CHECK(MPI_Put(&value, 1, MPI_INT, to, place(w, to, 0), 1, MPI_INT, win) == MPI_SUCCESS);
  CHECK(MPI_Win_unlock(to, win) == MPI_SUCCESS);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void epochs(struct window* w) {
  MPI_Win win = w->win;
  MPI_Group self;
  MPI_Request request;
  int flag;
  MPI_Comm_group(MPI_COMM_SELF, &self);
  const MPI_Aint at = place(w, me, 0);
  CHECK(MPI_Put(&value, 1, MPI_INT, me, at, 1, MPI_INT, win) == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_unlock(me, win) == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_unlock_all(win) == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_complete(win) == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_wait(win) == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_test(win, &flag) == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_flush(me, win) == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_flush_all(win) == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_flush_local(me, win) == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_flush_local_all(win) == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Rput(&value, 1, MPI_INT, me, at, 1, MPI_INT, win, &request) == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_fence(1, win) == MPI_ERR_ASSERT);
  CHECK(MPI_Win_fence(MPI_MODE_NOCHECK, win) == MPI_ERR_ASSERT);
  CHECK(MPI_Win_lock(MPI_LOCK_SHARED, me, MPI_MODE_NOPUT, win) == MPI_ERR_ASSERT);
  CHECK(MPI_Win_lock_all(MPI_MODE_NOSTORE, win) == MPI_ERR_ASSERT);
  CHECK(MPI_Win_lock(7, me, 0, win) == MPI_ERR_LOCKTYPE);
  CHECK(MPI_Win_lock(MPI_LOCK_SHARED, ranks, 0, win) == MPI_ERR_RANK);
  CHECK(MPI_Win_post(MPI_GROUP_NULL, 0, win) == MPI_ERR_GROUP);

  CHECK(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win) == MPI_SUCCESS);
  CHECK(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win) == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_lock_all(0, win) == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_fence(0, win) == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_start(self, 0, win) == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_free(&win) == MPI_ERR_RMA_SYNC);
  if (ranks > 1) {
    const int other = (me + 1) % ranks;
    CHECK(MPI_Put(&value, 1, MPI_INT, other, place(w, other, 0), 1, MPI_INT, win) == MPI_ERR_RMA_SYNC);
    CHECK(MPI_Win_unlock(other, win) == MPI_ERR_RMA_SYNC);
    CHECK(MPI_Win_flush(other, win) == MPI_ERR_RMA_SYNC);
  }
  CHECK(MPI_Win_unlock(me, win) == MPI_SUCCESS);

  CHECK(MPI_Win_post(self, 0, win) == MPI_SUCCESS);
  CHECK(MPI_Win_post(self, 0, win) == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_free(&win) == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_start(self, 0, win) == MPI_SUCCESS);
  CHECK(MPI_Win_start(self, 0, win) == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_lock_all(0, win) == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_test(win, &flag) == MPI_SUCCESS && !flag);
  CHECK(MPI_Win_complete(win) == MPI_SUCCESS);
  CHECK(MPI_Win_wait(win) == MPI_SUCCESS);

  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(MPI_Win_fence(0, win) == MPI_SUCCESS);
  CHECK(MPI_Put(&value, 1, MPI_INT, me, at, 1, MPI_INT, win) == MPI_SUCCESS);
  CHECK(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win) == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_free(&win) == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_fence(0, win) == MPI_SUCCESS);
  CHECK(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win) == MPI_SUCCESS);
  CHECK(MPI_Win_unlock(me, win) == MPI_SUCCESS);
  MPI_Group_free(&self);
}

static void flavors(struct window* w) {
  MPI_Aint size;
  int unit, *base;
  if (w->flavor == kDynamic) {
    CHECK(MPI_Win_shared_query(w->win, 0, &size, &unit, &base) == MPI_ERR_RMA_FLAVOR);
    CHECK(MPI_Win_attach(w->win, w->memory + 1, 4) == MPI_ERR_RMA_ATTACH);
    CHECK(MPI_Win_detach(w->win, w->memory + 1) == MPI_ERR_RMA_ATTACH);
    CHECK(MPI_Win_attach(w->win, &value, -1) == MPI_ERR_SIZE);
  } else {
    CHECK(MPI_Win_attach(w->win, &value, 4) == MPI_ERR_RMA_FLAVOR);
    CHECK(MPI_Win_detach(w->win, &value) == MPI_ERR_RMA_FLAVOR);
    CHECK(MPI_Win_shared_query(w->win, ranks, &size, &unit, &base) == MPI_ERR_RANK);
  }
}

static void handlers(struct window* w) {
  MPI_Errhandler counts, got;
  char text[MPI_MAX_ERROR_STRING];
  int length;
  CHECK(MPI_Win_get_errhandler(w->win, &got) == MPI_SUCCESS && got == MPI_ERRORS_RETURN);
  CHECK(MPI_Win_create_errhandler(count_error, &counts) == MPI_SUCCESS);
  CHECK(MPI_Win_set_errhandler(w->win, counts) == MPI_SUCCESS);
  CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, counts) == MPI_ERR_ERRHANDLER);
  CHECK(MPI_Win_complete(w->win) == MPI_ERR_RMA_SYNC && calls == 1 && last_code == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_call_errhandler(w->win, MPI_ERR_OTHER) == MPI_SUCCESS && calls == 2 && last_code == MPI_ERR_OTHER);
  CHECK(MPI_Win_get_errhandler(w->win, &got) == MPI_SUCCESS && got == counts);
  CHECK(MPI_Errhandler_free(&got) == MPI_SUCCESS);
  CHECK(MPI_Errhandler_free(&counts) == MPI_SUCCESS);
  CHECK(MPI_Win_set_errhandler(w->win, MPI_ERRORS_RETURN) == MPI_SUCCESS);
  CHECK(MPI_Win_complete(w->win) == MPI_ERR_RMA_SYNC && calls == 2);
  MPI_Error_string(MPI_ERR_RMA_SYNC, text, &length);
  CHECK(strstr(text, "MPI_Win_complete") != NULL && strstr(text, "MPI_Win_start has not been called") != NULL);
  calls = 0;
}

static void promised_to_have_no_locks(void) {
  MPI_Info info;
  MPI_Win win;
  MPI_Info_create(&info);
  MPI_Info_set(info, "no_locks", "true");
  CHECK(MPI_Win_create(&value, 4, 1, info, MPI_COMM_WORLD, &win) == MPI_SUCCESS);
  MPI_Info_free(&info);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  CHECK(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win) == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_lock_all(0, win) == MPI_ERR_RMA_SYNC);
  const MPI_Win freed = win;
  CHECK(MPI_Win_free(&win) == MPI_SUCCESS);
  CHECK(MPI_Win_fence(0, freed) == MPI_ERR_WIN);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  me = rank_of_world();
  ranks = size_of_world();
  arguments_of_creation();
  for (int flavor = 0; flavor < kFlavors; ++flavor) {
    struct window w = make_window(flavor, 4);
    CHECK(MPI_Win_set_errhandler(w.win, MPI_ERRORS_RETURN) == MPI_SUCCESS);
    arguments_of_accesses(&w);
    memory_beyond(&w);
    epochs(&w);
    flavors(&w);
    handlers(&w);
    free_window(&w);
  }
  promised_to_have_no_locks();
  if (me == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}
