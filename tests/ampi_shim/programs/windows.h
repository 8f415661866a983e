/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Windows of all flavours, with the same memory for tests. Behind check.h. */
#include <stdlib.h>
#include <string.h>

enum { kCreated, kAllocated, kShared, kDynamic, kFlavors };

/* A window of MPI_COMM_WORLD whose part at each rank is `ints` ints, zeros at first. */
struct window {
  MPI_Win win;
  int flavor, ints;
  int* memory;
  MPI_Aint* bases; /* addresses of all parts, which displacements begin with; 0 where they are counted from the part */
};

/* Displacement of an element of a part. */
__attribute__((unused)) static MPI_Aint place(const struct window* w, int rank, int element) {
  return w->flavor == kDynamic ? w->bases[rank] + element * (MPI_Aint)sizeof(int) : element;
}

__attribute__((unused)) static struct window make_window(int flavor, int ints) {
  struct window w = {MPI_WIN_NULL, flavor, ints, NULL, NULL};
  const MPI_Aint bytes = ints * (MPI_Aint)sizeof(int);
  const int ranks = size_of_world();
  if (flavor == kCreated || flavor == kDynamic) w.memory = malloc(ints > 0 ? (size_t)bytes : 1);
  if (flavor == kCreated)
    CHECK(MPI_Win_create(w.memory, bytes, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &w.win) == MPI_SUCCESS);
  if (flavor == kAllocated)
    CHECK(MPI_Win_allocate(bytes, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &w.memory, &w.win) == MPI_SUCCESS);
  if (flavor == kShared)
    CHECK(MPI_Win_allocate_shared(bytes, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &w.memory, &w.win) ==
          MPI_SUCCESS);
  if (flavor == kDynamic) {
    MPI_Aint base;
    CHECK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &w.win) == MPI_SUCCESS);
    CHECK(MPI_Win_attach(w.win, w.memory, bytes) == MPI_SUCCESS);
    w.bases = malloc((size_t)ranks * sizeof *w.bases);
    MPI_Get_address(w.memory, &base);
    MPI_Allgather(&base, 1, MPI_AINT, w.bases, 1, MPI_AINT, MPI_COMM_WORLD);
  }
  for (int i = 0; i < ints; ++i) w.memory[i] = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  return w;
}

__attribute__((unused)) static void free_window(struct window* w) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (w->flavor == kDynamic) CHECK(MPI_Win_detach(w->win, w->memory) == MPI_SUCCESS);
  CHECK(MPI_Win_free(&w->win) == MPI_SUCCESS && w->win == MPI_WIN_NULL);
  if (w->flavor == kCreated || w->flavor == kDynamic) free(w->memory);
  free(w->bases);
}
