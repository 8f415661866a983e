/* SPDX-License-Identifier: Apache-2.0 */
/* Of ampirun: the addresses of all functions of MPI, in the order of library/jumps.S. The names are CMake's, from mpi.h.
   unbuilt.cpp has those that no other source defines. */

.macro function name
  .quad \name
.endm

  .section .data.rel.ro, "aw"
  .p2align 3
  .globl kaon_mpi_functions
  .type kaon_mpi_functions, %object
kaon_mpi_functions:
  .quad KAON_MPI_FUNCTION_HASH
  .quad KAON_MPI_FUNCTION_COUNT
#include "functions.inc"
  .size kaon_mpi_functions, . - kaon_mpi_functions

  .section .note.GNU-stack, "", %progbits
