/* SPDX-License-Identifier: Apache-2.0 */
/* Each rank writes lines that are longer than what a pipe takes in one piece, on both streams: "rank 3 ddd...d." */
#include <string.h>

#include "check.h"

enum { kLines = 20, kLength = 70000 };

int main(int argc, char** argv) {
  static char text[kLength + 1];
  MPI_Init(&argc, &argv);
  const int rank = rank_of_world();
  memset(text, 'a' + rank % 26, kLength);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int line = 0; line < kLines; ++line) {
    printf("rank %d %s.\n", rank, text);
    fprintf(stderr, "rank %d %s.\n", rank, text);
  }
  MPI_Finalize();
  return 0;
}
