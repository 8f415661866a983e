/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Memory that ranks of all processes of a host share without MPI. The file that includes this defines _GNU_SOURCE, and
   has check.h. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { kIntsOfPage = 1024 };

/* Zeros. All ranks of the run call it. */
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
