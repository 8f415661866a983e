// SPDX-License-Identifier: Apache-2.0
// The same messages over MPI, for runs that alternate with ours: built when the machine has mpicc, never needed.
//   mpirun -n 2 mpi_peer latency BYTES...
//   mpirun -n 2 mpi_peer balls WINDOW BYTES...   fixed buffers, and what arrives modified and handed on
// One JSON object a line, named as the programs of ours name theirs.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/programs/modify.hpp"

enum { kMostThrows = 30000, kRepetitions = 3, kMostBuffers = 4096 };

static int rank;

static void print(const char* what, const char* how, size_t bytes, double value, const char* unit) {
  if (rank != 0) return;
  if (bytes % (1 << 20) == 0)
    printf("{\"case\": \"%s%s%zu MiB\", \"value\": %.9g, \"unit\": \"%s\"}\n", what, how, bytes >> 20, value, unit);
  else if (bytes % 1024 == 0)
    printf("{\"case\": \"%s%s%zu KiB\", \"value\": %.9g, \"unit\": \"%s\"}\n", what, how, bytes >> 10, value, unit);
  else
    printf("{\"case\": \"%s%s%zu B\", \"value\": %.9g, \"unit\": \"%s\"}\n", what, how, bytes, value, unit);
  fflush(stdout);
}

static int compare(const void* left, const void* right) {
  const double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}

static double median(double* values) {
  qsort(values, kRepetitions, sizeof *values, compare);
  return values[kRepetitions / 2];
}

static int repetitions_for(double seconds, int tried, double took, int most) {
  const double fitting = seconds / (took > 1e-9 ? took : 1e-9) * tried;
  int count = fitting > most ? most : (int)fitting;
  if (count < 4) count = 4;
  count = count / 2 * 2;
  MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);  // both must come to the same
  return count;
}

static double seconds_of_round_trips(char* buffer, int bytes, int round_trips) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < round_trips; ++i) {
    if (rank == 0) MPI_Send(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(buffer, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  }
  return MPI_Wtime() - start;
}

static void measure_latency(size_t bytes) {
  char* const buffer = calloc(1, bytes);
  int round_trips = 1000;
  double us[kRepetitions], took = seconds_of_round_trips(buffer, (int)bytes, round_trips);
  for (int i = 0; i < kRepetitions; ++i) {
    round_trips = repetitions_for(0.04, round_trips, took, 10000000);
    took = seconds_of_round_trips(buffer, (int)bytes, round_trips);
    us[i] = took * 1e6 / (2.0 * round_trips);
  }
  print("", "", bytes, median(us), "us");
  free(buffer);
}

// Balls thrown to and fro, as bench/ucx_floor/ucx_balls.hpp describes them. The throws that are left are the tag.
struct Game {
  size_t bytes;
  int balls;
  int is_both_ways;
  int throws;
  int is_handed_on;
};

static uint64_t* memory[kMostBuffers];
static int free_buffers[kMostBuffers], free_count;
static MPI_Request sends[kMostBuffers], receives[kMostBuffers];
static int sent_from[kMostBuffers], lands_in[kMostBuffers];  // the buffer of each request
static int slots;                                            // requests of each kind

static void collect_sends(void) {
  int count, done[kMostBuffers];
  MPI_Testsome(slots, sends, &count, done, MPI_STATUSES_IGNORE);
  for (int i = 0; i < count && count != MPI_UNDEFINED; ++i) free_buffers[free_count++] = sent_from[done[i]];
}

static int take_free(void) {
  while (free_count == 0) collect_sends();
  return free_buffers[--free_count];
}

static void throw_ball(const struct Game* game, int buffer, int left) {
  for (;; collect_sends())
    for (int slot = 0; slot < slots; ++slot)
      if (sends[slot] == MPI_REQUEST_NULL) {
        sent_from[slot] = buffer;
        MPI_Isend(memory[buffer], (int)game->bytes, MPI_BYTE, 1 - rank, left, MPI_COMM_WORLD, &sends[slot]);
        return;
      }
}

static void post_receive(const struct Game* game, int slot, int buffer) {
  lands_in[slot] = buffer;
  MPI_Irecv(memory[buffer], (int)game->bytes, MPI_BYTE, 1 - rank, MPI_ANY_TAG, MPI_COMM_WORLD, &receives[slot]);
}

static void require_whole(const struct Game* game, int buffer) {
  if (memory[buffer][0] == (uint64_t)game->throws) return;
  fprintf(stderr, "mpi_peer: a ball came back with other values than its throws gave it\n");
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void answer(const struct Game* game, int slot, int left, int* to_post) {
  const int arrived = lands_in[slot];
  if (game->is_handed_on) kaon_bench_modify(memory[arrived], game->bytes / sizeof(uint64_t));
  if (*to_post > 0) {
    --*to_post;
    post_receive(game, slot, game->is_handed_on ? take_free() : arrived);
  } else if (!game->is_handed_on) {
    free_buffers[free_count++] = arrived;
  }
  if (left > 0)
    throw_ball(game, game->is_handed_on ? arrived : take_free(), left - 1);
  else if (game->is_handed_on)
    require_whole(game, arrived), free_buffers[free_count++] = arrived;
}

static double seconds_of(const struct Game* game) {
  const int balls = game->is_both_ways ? 2 * game->balls : game->balls;
  int left = balls * game->throws / 2, to_post = left;
  slots = balls + 1;
  free_count = 0;
  for (int i = 0; i < 2 * balls + 1; ++i) {
    memset(memory[i], 0, game->bytes);
    free_buffers[free_count++] = i;
  }
  for (int slot = 0; slot < slots; ++slot) {
    sends[slot] = receives[slot] = MPI_REQUEST_NULL;
    if (slot < balls && to_post > 0) --to_post, post_receive(game, slot, take_free());
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; (rank == 0 || game->is_both_ways) && i < game->balls; ++i)
    throw_ball(game, take_free(), game->throws - 1);
  while (left > 0) {
    int count, done[kMostBuffers];
    static MPI_Status statuses[kMostBuffers];
    MPI_Testsome(slots, receives, &count, done, statuses);
    for (int i = 0; i < count && count != MPI_UNDEFINED; ++i, --left)
      answer(game, done[i], statuses[i].MPI_TAG, &to_post);
  }
  MPI_Waitall(slots, sends, MPI_STATUSES_IGNORE);
  return MPI_Wtime() - start;
}

static double seconds_of_a_throw(struct Game game) {
  double times[kRepetitions], took = seconds_of(&game);
  for (int i = 0; i < kRepetitions; ++i) {
    game.throws = repetitions_for(0.04, game.throws, took, kMostThrows);
    took = seconds_of(&game);
    times[i] = took / game.throws;
  }
  return median(times);
}

static void measure_balls(size_t bytes, int window) {
  for (int i = 0; i < 4 * window + 1; ++i) memory[i] = malloc(bytes);
  for (int is_handed_on = 0; is_handed_on < 2; ++is_handed_on) {
    const char* const how = is_handed_on ? "handed on " : "fixed ";
    const struct Game one = {bytes, 1, 0, 20, is_handed_on}, both = {bytes, window, 1, 4, is_handed_on};
    print("one ball ", how, bytes, 1e6 * seconds_of_a_throw(one), "us");
    print("both ways ", how, bytes, 2e-9 * (double)bytes * window / seconds_of_a_throw(both), "GB/s");
  }
  for (int i = 0; i < 4 * window + 1; ++i) free(memory[i]);
}

static int run(int count, char** words) {
  if (count > 1 && strcmp(words[1], "latency") == 0) {
    for (int i = 2; i < count; ++i) measure_latency(strtoul(words[i], NULL, 10));
    return 0;
  }
  if (count > 3 && strcmp(words[1], "balls") == 0) {
    const int window = atoi(words[2]);
    if (window >= 1 && 4 * window + 1 <= kMostBuffers) {
      for (int i = 3; i < count; ++i) measure_balls(strtoul(words[i], NULL, 10), window);
      return 0;
    }
  }
  fprintf(stderr, "mpi_peer: say latency BYTES... or balls WINDOW BYTES...\n");
  return 2;
}

int main(int argc, char** argv) {
  int processes = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  int code = 2;
  if (processes == 2)
    code = run(argc, argv);
  else if (rank == 0)
    fprintf(stderr, "mpi_peer: give two processes, as mpirun -n 2 does\n");
  MPI_Finalize();
  return code;
}
