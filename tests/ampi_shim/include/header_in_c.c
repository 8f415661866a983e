/* SPDX-License-Identifier: Apache-2.0 */
/* mpi.h compiles first, alone, in C11, without a warning; what C must be able to do with its constants. */
#include <mpi.h>

_Static_assert(sizeof(MPI_Status) == 32, "the status of the ABI");
_Static_assert(sizeof(MPI_Aint) == sizeof(void*), "an address");

int kaon_header_in_c(int kind);

/* In initializers, as labels, and where functions are named. */
static MPI_Comm const communicators[] = {MPI_COMM_NULL, MPI_COMM_WORLD, MPI_COMM_SELF};
static int (*const sends[])(const void*, int, MPI_Datatype, int, int, MPI_Comm) = {MPI_Send, PMPI_Ssend};
static int lengths[MPI_MAX_ERROR_STRING + MPI_BSEND_OVERHEAD];
static MPI_Comm_copy_attr_function* const copy = MPI_COMM_DUP_FN;

int kaon_header_in_c(int kind) {
  switch (kind) {
    case MPI_CART:
      return communicators[1] != MPI_COMM_NULL;
    case MPI_ERR_COUNT:
      return sends[0] == MPI_Send;
    case MPI_ANY_SOURCE:
      return copy != MPI_COMM_NULL_COPY_FN;
    default:
      return lengths[0];
  }
}
