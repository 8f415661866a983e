/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* For programs of which a rank computes and sees by memory, not by messages, how far one of another process is. Behind
   _GNU_SOURCE and check.h. */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kIntsOfPage = 1024 };

/* Zeros, the same for all ranks of the host, who all call it. */
static inline volatile int* shared_page(void) {
  char path[64] = "/tmp/kaon-shared-page-XXXXXX";
  const size_t bytes = kIntsOfPage * sizeof(int);
  int file = rank_of_world() == 0 ? mkstemp(path) : -1;
  CHECK(rank_of_world() != 0 || (file >= 0 && ftruncate(file, (off_t)bytes) == 0));
  MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
  FILE* const opened = fopen(path, "r+");
  CHECK(opened != NULL);
  volatile int* const page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(opened), 0);
  CHECK(page != MAP_FAILED);
  MPI_Barrier(MPI_COMM_WORLD);
  if (file >= 0) unlink(path);
  return page;
}

/* Some microseconds without a call of MPI. The core may go to another process, where there is one for both;
   sched_yield() would give it to another rank. */
static inline void compute(void) {
  for (volatile int step = 0; step < 20000; ++step) continue;
  syscall(SYS_sched_yield);
}
