/* SPDX-License-Identifier: Apache-2.0 */
/* windows MILLISECONDS: one-sided operations of rank 0 at rank 1, each with its flush, so long for each; in memory that
   the program brought and in memory that MPI allocated. */
#include <string.h>

#include "measuring.h"

enum { kLargest = 1 << 20 };

typedef struct {
  MPI_Win win;
  int bytes;
  char* memory;
} Access;

static void put(int count, void* context) {
  const Access* const access = context;
  for (int i = 0; i < count && rank_of_world() == 0; ++i) {
    MPI_Put(access->memory, access->bytes, MPI_CHAR, 1, 0, access->bytes, MPI_CHAR, access->win);
    MPI_Win_flush(1, access->win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void get(int count, void* context) {
  const Access* const access = context;
  for (int i = 0; i < count && rank_of_world() == 0; ++i) {
    MPI_Get(access->memory, access->bytes, MPI_CHAR, 1, 0, access->bytes, MPI_CHAR, access->win);
    MPI_Win_flush(1, access->win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void fetch_and_add(int count, void* context) {
  const Access* const access = context;
  const long one = 1;
  long before = 0;
  for (int i = 0; i < count && rank_of_world() == 0; ++i) {
    MPI_Fetch_and_op(&one, &before, MPI_LONG, 1, 0, MPI_SUM, access->win);
    MPI_Win_flush(1, access->win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void measure(const char* memory, Access access, double milliseconds) {
  static const int sizes[] = {8, 4096, kLargest};
  char name[40];
  MPI_Win_lock_all(0, access.win);
  for (int i = 0; i < 3; ++i) {
    access.bytes = sizes[i];
    const double of_put = seconds_each(milliseconds, put, &access);
    const double of_get = seconds_each(milliseconds, get, &access);
    if (rank_of_world() != 0) continue;
    snprintf(name, sizeof name, "%s put", memory);
    print_of_size(name, (size_t)sizes[i], of_put * 1e6, "us");
    snprintf(name, sizeof name, "%s get", memory);
    print_of_size(name, (size_t)sizes[i], of_get * 1e6, "us");
  }
  const double of_add = seconds_each(milliseconds, fetch_and_add, &access);
  snprintf(name, sizeof name, "%s add", memory);
  if (rank_of_world() == 0) print_of_size(name, 8, of_add * 1e6, "us");
  MPI_Win_unlock_all(access.win);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const double milliseconds = argc > 1 ? atof(argv[1]) : 60;
  Access access = {MPI_WIN_NULL, 0, calloc(1, kLargest)};
  char *own = calloc(1, kLargest), *allocated;
  MPI_Win win;
  if (size_of_world() != 2 || own == NULL || access.memory == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Win_create(own, kLargest, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  access.win = win;
  measure("own", access, milliseconds);
  MPI_Win_free(&win);
  MPI_Win_allocate(kLargest, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &allocated, &win);
  memset(allocated, 1, kLargest);
  access.win = win;
  measure("allocated", access, milliseconds);
  MPI_Win_free(&win);
  free(own);
  free(access.memory);
  MPI_Finalize();
  return 0;
}
