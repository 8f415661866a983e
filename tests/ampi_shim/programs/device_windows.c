/* SPDX-License-Identifier: Apache-2.0 */
/* One-sided operations whose buffers at the origin are in the memory of a device. Run by ampirun --device host, or on
   devices. */
#include "check.h"
#include "device_buffers.h"
#include "windows.h"

static int me, ranks;

static void between_device_and_window(struct window* w) {
  const int to = (me + 1) % ranks, from = (me + ranks - 1) % ranks;
  const int values[4] = {me, me + 1, me + 2, me + 3}, ones[4] = {1, 1, 1, 1}, zeros[4] = {0, 0, 0, 0};
  int* const device = device_copy_of(values, sizeof values);
  int* const added = device_copy_of(ones, sizeof ones);
  int* const got = device_copy_of(zeros, sizeof zeros);
  MPI_Datatype spread;
  MPI_Request request;
  MPI_Type_vector(2, 1, 3, MPI_INT, &spread);
  MPI_Type_commit(&spread);
  CHECK(MPI_Win_lock_all(0, w->win) == MPI_SUCCESS);
  CHECK(MPI_Put(device, 4, MPI_INT, to, place(w, to, 0), 4, MPI_INT, w->win) == MPI_SUCCESS);
  CHECK(MPI_Win_flush(to, w->win) == MPI_SUCCESS);
  CHECK(MPI_Get(got, 4, MPI_INT, to, place(w, to, 0), 4, MPI_INT, w->win) == MPI_SUCCESS);
  CHECK(MPI_Win_flush(to, w->win) == MPI_SUCCESS);
  CHECK(device_holds(got, values, sizeof values));
  CHECK(MPI_Accumulate(added, 4, MPI_INT, to, place(w, to, 0), 4, MPI_INT, MPI_SUM, w->win) == MPI_SUCCESS);
  CHECK(MPI_Rget_accumulate(added, 2, MPI_INT, got, 1, spread, to, place(w, to, 0), 2, MPI_INT, MPI_SUM, w->win,
                            &request) == MPI_SUCCESS);
  CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  const int between[4] = {me + 1, me + 1, me + 2, me + 2};
  CHECK(device_holds(got, between, sizeof between));
  CHECK(MPI_Compare_and_swap(added, device, got, MPI_INT, to, place(w, to, 3), w->win) == MPI_SUCCESS);
  CHECK(MPI_Fetch_and_op(added, got + 1, MPI_INT, to, place(w, to, 2), MPI_SUM, w->win) == MPI_SUCCESS);
  CHECK(MPI_Win_unlock_all(w->win) == MPI_SUCCESS);
  const int last[2] = {me + 4, me + 3};
  CHECK(device_holds(got, last, sizeof last));
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(w->memory[0] == from + 2 && w->memory[1] == from + 3 && w->memory[2] == from + 4 && w->memory[3] == from + 4);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Type_free(&spread);
  MPI_Free_mem(device);
  MPI_Free_mem(added);
  MPI_Free_mem(got);
}

/* Windows are of memory of the host alone: a window of a device's is refused, by all ranks. */
static void of_a_device(void) {
  int* const device = allocate_on_device(64);
  MPI_Win win = MPI_WIN_NULL;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(MPI_Win_create(device, 64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win) == MPI_ERR_UNSUPPORTED_OPERATION);
  CHECK(win == MPI_WIN_NULL);
  CHECK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win) == MPI_SUCCESS);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  CHECK(MPI_Win_attach(win, device, 64) == MPI_ERR_RMA_ATTACH);
  CHECK(MPI_Win_free(&win) == MPI_SUCCESS);
  MPI_Free_mem(device);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  me = rank_of_world();
  ranks = size_of_world();
  for (int flavor = 0; flavor < kFlavors; ++flavor) {
    struct window w = make_window(flavor, 4);
    between_device_and_window(&w);
    free_window(&w);
  }
  of_a_device();
  if (me == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}
