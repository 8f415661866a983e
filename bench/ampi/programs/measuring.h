/* SPDX-License-Identifier: Apache-2.0 */
/* For programs that measure an MPI, any one: clocks, medians, and the lines that the driver reads. */
#ifndef KAON_BENCH_AMPI_MEASURING_H
#define KAON_BENCH_AMPI_MEASURING_H
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRepetitions = 3 };

static int rank_of_world(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

static int size_of_world(void) {
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

static inline void print_value(const char* what, double value, const char* unit) {
  printf("{\"case\": \"%s\", \"value\": %.9g, \"unit\": \"%s\"}\n", what, value, unit);
  fflush(stdout);
}

/* Named as the other benchmarks name sizes. */
static inline void print_of_size(const char* what, size_t bytes, double value, const char* unit) {
  char name[80];
  if (bytes >= 1 << 20 && bytes % (1 << 20) == 0)
    snprintf(name, sizeof name, "%s %zu MiB", what, bytes >> 20);
  else if (bytes >= 1024 && bytes % 1024 == 0)
    snprintf(name, sizeof name, "%s %zu KiB", what, bytes >> 10);
  else
    snprintf(name, sizeof name, "%s %zu B", what, bytes);
  print_value(name, value, unit);
}

static inline int compare_numbers(const void* left, const void* right) {
  const double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}

/* What `run(count, context)` takes, in seconds each time. */
static inline double timed(int count, void (*run)(int count, void* context), void* context) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  run(count, context);
  return (MPI_Wtime() - start) / count;
}

/* How often something fits into one of the repetitions that takes so long each time; the first rank decides for all. */
static inline int times_that_fit(double milliseconds, double seconds) {
  const double fitting = milliseconds / 1e3 / kRepetitions / (seconds > 1e-8 ? seconds : 1e-8);
  int count = fitting < 1 ? 0 : fitting > 1e6 ? 1000000 : (int)fitting;
  MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return count;
}

/* Seconds that `run(count, context)` takes each time, the median of a few; of something long, of one. */
static inline double seconds_each(double milliseconds, void (*run)(int count, void* context), void* context) {
  double taken[kRepetitions];
  timed(1, run, context); /* connections, memory, code */
  const double of_one = timed(1, run, context);
  int count = times_that_fit(milliseconds, of_one);
  if (count > 20) count = times_that_fit(milliseconds, timed(count / 20, run, context));
  if (count == 0) return of_one;
  for (int i = 0; i < kRepetitions; ++i) taken[i] = timed(count, run, context);
  qsort(taken, kRepetitions, sizeof *taken, compare_numbers);
  return taken[kRepetitions / 2];
}
#endif
