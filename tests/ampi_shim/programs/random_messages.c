/* SPDX-License-Identifier: Apache-2.0 */
/* A plan of messages that every rank works out from the same seed: who sends what to whom, in rounds. Receivers take
   them by exact or wild receives, posted early or late, and check what they get against the plan. */
#include <stdlib.h>

#include "check.h"

enum { kRounds = 6, kTags = 3, kMost = 60000 };

static unsigned state;
static unsigned draw(unsigned below) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

typedef struct {
  int from, to, tag, count;
} Planned;

static int length_of_message(void) {
  const unsigned kind = draw(4);
  return (int)(kind < 2 ? draw(20) : kind == 2 ? draw(6000) : draw(kMost));
}

static void make_plan(Planned* plan, int messages, int size) {
  for (int i = 0; i < messages; ++i) {
    plan[i].from = (int)draw((unsigned)size);
    plan[i].to = (int)draw((unsigned)size);
    plan[i].tag = (int)draw(kTags);
    plan[i].count = length_of_message();
  }
}

/* The `n`-th message of the plan (from 0) that a rank is to get from another with this tag. */
static int find(const Planned* plan, int messages, int from, int to, int tag, int n) {
  for (int i = 0; i < messages; ++i)
    if (plan[i].from == from && plan[i].to == to && plan[i].tag == tag && n-- == 0) return i;
  return -1;
}

static void send_all(const Planned* plan, int messages, int rank, int** data, MPI_Request* requests) {
  for (int i = 0; i < messages; ++i) {
    requests[i] = MPI_REQUEST_NULL;
    data[i] = NULL;
    if (plan[i].from != rank) continue;
    data[i] = malloc(sizeof(int) * (size_t)(plan[i].count + 1));
    for (int k = 0; k < plan[i].count; ++k) data[i][k] = i * 7 + k;
    if (draw(3) == 0)
      CHECK(MPI_Issend(data[i], plan[i].count, MPI_INT, plan[i].to, plan[i].tag, MPI_COMM_WORLD, &requests[i]) == 0);
    else
      CHECK(MPI_Isend(data[i], plan[i].count, MPI_INT, plan[i].to, plan[i].tag, MPI_COMM_WORLD, &requests[i]) == 0);
  }
}

static void receive_all(const Planned* plan, int messages, int rank, int size) {
  int* got = calloc((size_t)(size * kTags), sizeof(int));
  int* memory = malloc(sizeof(int) * kMost);
  int left = 0;
  for (int i = 0; i < messages; ++i) left += plan[i].to == rank;
  for (; left > 0; --left) {
    MPI_Status status;
    int count;
    CHECK(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status) == MPI_SUCCESS);
    const int source = draw(2) ? status.MPI_SOURCE : MPI_ANY_SOURCE, tag = draw(2) ? status.MPI_TAG : MPI_ANY_TAG;
    CHECK(MPI_Recv(memory, kMost, MPI_INT, source, tag, MPI_COMM_WORLD, &status) == MPI_SUCCESS);
    int* const number = &got[status.MPI_SOURCE * kTags + status.MPI_TAG];
    const int i = find(plan, messages, status.MPI_SOURCE, rank, status.MPI_TAG, (*number)++);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(i >= 0 && count == plan[i].count);
    for (int k = 0; k < count; ++k) CHECK(memory[k] == i * 7 + k);
  }
  free(memory);
  free(got);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of_world(), size = size_of_world(), messages = 12 * size;
  const unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
  Planned* plan = malloc(sizeof(Planned) * (size_t)messages);
  int** data = malloc(sizeof(int*) * (size_t)messages);
  MPI_Request* requests = malloc(sizeof(MPI_Request) * (size_t)messages);
  for (unsigned round = 0; round < kRounds; ++round) {
    state = seed * 1000 + round;
    make_plan(plan, messages, size);
    state += (unsigned)rank;
    send_all(plan, messages, rank, data, requests);
    receive_all(plan, messages, rank, size);
    CHECK(MPI_Waitall(messages, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    for (int i = 0; i < messages; ++i) free(data[i]);
    CHECK(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS);
  }
  free(plan);
  free(data);
  free(requests);
  MPI_Finalize();
  if (rank == 0) printf("all is well\n");
  return 0;
}
