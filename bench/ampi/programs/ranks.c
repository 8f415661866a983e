/* SPDX-License-Identifier: Apache-2.0 */
/* What ranks cost by themselves:
     ranks start SECONDS        from then, by the monotonic clock, until MPI_Init has returned in all ranks
     ranks memory               of the first rank's process, when all have started
     ranks yield MILLISECONDS   to give way to the other ranks of a core, and to look for a message in vain */
#define _GNU_SOURCE
#include <sched.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "measuring.h"

static double monotonic_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void start(double began, double returned) {
  double own = returned - began, last;
  MPI_Reduce(&own, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank_of_world() == 0) print_value("start", last, "s");
}

/* Memory of this process, of which pages shared with others count in part; also what the kernel keeps for it as page
   tables. */
static double bytes_of_process(void) {
  static const char* const files[] = {"/proc/self/smaps_rollup", "/proc/self/status"};
  static const char* const formats[] = {"Pss: %ld", "VmPTE: %ld"};
  double bytes = 0;
  for (int i = 0; i < 2; ++i) {
    FILE* const file = fopen(files[i], "r");
    char line[256];
    long kib;
    if (file == NULL) MPI_Abort(MPI_COMM_WORLD, 3);
    while (fgets(line, sizeof line, file) != NULL)
      if (sscanf(line, formats[i], &kib) == 1) bytes += 1024.0 * (double)kib;
    fclose(file);
  }
  return bytes;
}

static void memory(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank_of_world() == 0) print_value("memory", bytes_of_process(), "B");
  MPI_Barrier(MPI_COMM_WORLD);
}

static void give_way(int loops) {
  for (int i = 0; i < loops; ++i) sched_yield();
}

static void look(int loops) {
  int flag;
  for (int i = 0; i < loops; ++i) MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

/* Nanoseconds of a call while all ranks call it, which share a core: processor time, so that other programs count
 * little. */
static void print_call(const char* what, double milliseconds, void (*run)(int loops)) {
  const int loops = 1 + (int)(milliseconds * 1e4) / size_of_world();
  double taken[kRepetitions];
  for (int i = 0; i < kRepetitions; ++i) {
    struct timespec before, after;
    MPI_Barrier(MPI_COMM_WORLD);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    run(loops);
    MPI_Barrier(MPI_COMM_WORLD);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    taken[i] = 1e9 * (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec);
  }
  qsort(taken, kRepetitions, sizeof *taken, compare_numbers);
  if (rank_of_world() == 0) print_value(what, taken[kRepetitions / 2] / ((double)loops * size_of_world()), "ns");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const double returned = monotonic_seconds();
  const char* const what = argc > 1 ? argv[1] : "";
  const double number = argc > 2 ? atof(argv[2]) : 60;
  if (strcmp(what, "start") == 0) start(number, returned);
  if (strcmp(what, "memory") == 0) memory();
  if (strcmp(what, "yield") == 0) {
    print_call("yield", number, give_way);
    print_call("look", number, look);
  }
  MPI_Finalize();
  return 0;
}
