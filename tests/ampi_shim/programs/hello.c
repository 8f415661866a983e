/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

int main(int argc, char** argv) {
  CHECK(MPI_Init(&argc, &argv) == MPI_SUCCESS);
  printf("rank %d of %d", rank_of_world(), size_of_world());
  for (int i = 1; i < argc; ++i) printf(" %s", argv[i]);
  printf("\n");
  CHECK(MPI_Finalize() == MPI_SUCCESS);
  printf("rank is done\n");
  return 0;
}
