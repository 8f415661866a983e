/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of a rank's standard streams, as they begin, when one is a file, and when one is closed. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

int main(int argc, char** argv) {
  struct stat found;
  MPI_Init(&argc, &argv);
  CHECK(fileno(stdin) == 0 && fileno(stdout) == 1 && fileno_unlocked(stderr) == 2);
  CHECK(fstat(fileno(stdout), &found) == 0);
  const int copy = dup(fileno(stdout));
  CHECK(copy > 2 && close(copy) == 0);
  FILE* const other = tmpfile();
  CHECK(other != NULL && fileno(other) > 2 && fclose(other) == 0);
  printf("all is well\n");
  CHECK(fflush(stdout) == 0 && freopen("/dev/null", "w", stdout) != NULL && fileno(stdout) >= 0);
  CHECK(fstat(fileno(stdout), &found) == 0 && S_ISCHR(found.st_mode));
  CHECK(fclose(stdin) == 0);
  errno = 0; /* whoever looks at one that is closed, as destructors and exit handlers do, is told so */
  FILE* volatile closed = stdin;
  CHECK(fileno(closed) == -1 && errno == EBADF);
  MPI_Finalize();
  return 0;
}
