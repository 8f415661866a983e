/* SPDX-License-Identifier: Apache-2.0 */
/* Each rank closes all descriptors behind the standard ones in every way, as programs do that want nothing inherited;
   what the process runs by stays. Any number of ranks. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/ampi_shim/programs/check.h"

enum { kFirst = 3, kEnd = 1024 };

static int is_open(int descriptor) { return fcntl(descriptor, F_GETFD) != -1; }

static int count_open(void) {
  int count = 0;
  for (int i = kFirst; i < kEnd; ++i) count += is_open(i);
  return count;
}

static int find_open(void) {
  int found = kFirst;
  while (found < kEnd && !is_open(found)) ++found;
  return found;
}

static void close_one_by_one(void) {
  for (int i = kFirst; i < kEnd; ++i) {
    errno = 0;
    if (close(i) != 0) CHECK(errno == EBADF);
  }
}

/* No other rank opens or closes one meanwhile. */
static void close_all(void) {
  const int own = count_open(), kept = find_open();
  CHECK(own > 0 && kept < kEnd);
  const int mine = open("/dev/null", O_RDONLY), others = dup(mine);
  CHECK(count_open() == own + 2);
  CHECK(dup2(mine, kept) == -1 && errno == EBADF);
  CHECK(dup3(mine, kept, O_CLOEXEC) == -1 && errno == EBADF);
  CHECK(dup2(mine, others) == others && dup2(kept, kept) == kept);
  CHECK(close(mine) == 0 && close(mine) == -1 && close(others) == 0);
  close_one_by_one();
  CHECK(count_open() == own);
  const int low = dup2(0, kEnd - 2), high = dup2(0, kEnd - 1);
  CHECK(close_range(kFirst, kEnd - 2, 0) == 0 && !is_open(low) && is_open(high));
  closefrom(kFirst);
  CHECK(count_open() == own && !is_open(high) && is_open(2));
  CHECK(close_range(9, 8, 0) == -1 && errno == EINVAL);
}

/* One that it forks has nothing to do with the run. */
static void close_in_child(void) {
  int status;
  const pid_t child = fork();
  if (child == 0) {
    close_one_by_one();
    _exit(count_open());
  }
  CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

int main(int argc, char** argv) {
  int sum = 0;
  const int one = 1;
  MPI_Init(&argc, &argv);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* processes are connected from here on */
  for (int rank = 0; rank < size_of_world(); ++rank) {
    if (rank == rank_of_world()) close_all(), close_in_child();
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == size_of_world());
  return MPI_Finalize();
}
