/* SPDX-License-Identifier: Apache-2.0 */
/* Rank 0 sends and computes, and makes no call that waits, until rank 1 has received so much that credits for its
   messages had to come back to it. Two ranks of two processes, which share a page. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

enum { kEnough = 3000, kMost = 100000, kSteps = 20000, kLast = -1 };

static volatile int* shared_page(char* path) {
  int file = rank_of_world() == 0 ? mkstemp(path) : -1;
  CHECK(rank_of_world() != 0 || (file >= 0 && ftruncate(file, sizeof(int)) == 0));
  MPI_Bcast(path, 64, MPI_CHAR, 0, MPI_COMM_WORLD);
  FILE* const opened = fopen(path, "r+");
  CHECK(opened != NULL);
  volatile int* const page = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED, fileno(opened), 0);
  CHECK(page != MAP_FAILED);
  MPI_Barrier(MPI_COMM_WORLD);
  if (file >= 0) unlink(path);
  return page;
}

/* Each of the calls that send and return at once. */
static void send_one(int* value, int how, MPI_Request* kept) {
  MPI_Request request;
  if (how == 0) {
    MPI_Send(value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else if (how == 1) {
    MPI_Isend(value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Start(kept);
    MPI_Wait(kept, MPI_STATUS_IGNORE);
  }
}

static void send_until_enough(const volatile int* received, int how) {
  int value = 0;
  volatile int step;
  MPI_Request kept;
  MPI_Send_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &kept);
  while (*received < kEnough && value < kMost) {
    send_one(&value, how, &kept);
    ++value;
    for (step = 0; step < kSteps; ++step) continue;
  }
  CHECK(*received >= kEnough);
  value = kLast;
  MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  MPI_Request_free(&kept);
}

static void receive_until_last(volatile int* received) {
  for (int value = 0; value != kLast; ++*received)
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int how = 0; how < 3; ++how) {
    char path[64] = "/tmp/kaon-only-sends-XXXXXX";
    volatile int* const received = shared_page(path);
    if (rank_of_world() == 0)
      send_until_enough(received, how);
    else
      receive_until_last(received);
  }
  if (rank_of_world() == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}
