/* SPDX-License-Identifier: Apache-2.0 */
/* collectives MILLISECONDS: collectives of all ranks, so long for each. */
#include <string.h>

#include "measuring.h"

enum { kLarge = 64 << 10, kEach = 8 };

typedef struct {
  char *out, *in;
  size_t bytes;
} Memory;

static void barrier(int count, void* context) {
  (void)context;
  for (int i = 0; i < count; ++i) MPI_Barrier(MPI_COMM_WORLD);
}

/* From all in turn: of one root alone many broadcasts would be under way at once. */
static void broadcast(int count, void* context) {
  const Memory* const memory = context;
  const int size = size_of_world();
  for (int i = 0; i < count; ++i) MPI_Bcast(memory->out, (int)memory->bytes, MPI_CHAR, i % size, MPI_COMM_WORLD);
}

static void allreduce(int count, void* context) {
  const Memory* const memory = context;
  for (int i = 0; i < count; ++i)
    MPI_Allreduce(memory->out, memory->in, (int)(memory->bytes / sizeof(double)), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void alltoall(int count, void* context) {
  const Memory* const memory = context;
  for (int i = 0; i < count; ++i)
    MPI_Alltoall(memory->out, kEach, MPI_CHAR, memory->in, kEach, MPI_CHAR, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const double milliseconds = argc > 1 ? atof(argv[1]) : 60;
  const struct {
    const char* name;
    size_t bytes;
    void (*run)(int, void*);
  } cases[] = {{"barrier", 0, barrier},     {"broadcast", 8, broadcast},      {"broadcast", kLarge, broadcast},
               {"allreduce", 8, allreduce}, {"allreduce", kLarge, allreduce}, {"alltoall", kEach, alltoall}};
  const size_t bytes = kLarge + (size_t)kEach * (size_t)size_of_world();
  Memory memory = {malloc(bytes), malloc(bytes), 0};
  if (memory.out == NULL || memory.in == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
  memset(memory.out, 0, bytes);
  memset(memory.in, 0, bytes);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    memory.bytes = cases[i].bytes;
    const double seconds = seconds_each(milliseconds, cases[i].run, &memory);
    if (rank_of_world() != 0) continue;
    if (cases[i].bytes == 0)
      print_value(cases[i].name, seconds * 1e6, "us");
    else
      print_of_size(cases[i].name, cases[i].bytes, seconds * 1e6, "us");
  }
  free(memory.out);
  free(memory.in);
  MPI_Finalize();
  return 0;
}
