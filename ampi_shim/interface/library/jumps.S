/* SPDX-License-Identifier: Apache-2.0 */
/* libmpi_abi.so: each function of MPI, a jump through a table that start.cpp fills. The names are CMake's, from mpi.h.
   MPI_x is weak: a profiling library may define it, and calls PMPI_x. No register changes on the way. */

  .text
  .set index, 0

.macro function name
  .globl P\name
  .weak \name
  .type P\name, %function
  .type \name, %function
  .p2align 4
P\name:
\name:
#if defined(__x86_64__)
  endbr64
  jmp *kaon_mpi_jumps + 8 * index(%rip)
#elif defined(__aarch64__)
  hint #34  /* bti c */
  adrp x16, kaon_mpi_jumps + 8 * index
  ldr x16, [x16, #:lo12:kaon_mpi_jumps + 8 * index]
  br x16
#else
#error "the jumps of libmpi_abi.so are written for x86-64 and aarch64"
#endif
  .size P\name, . - P\name
  .size \name, . - \name
  .set index, index + 1
.endm

#include "functions.inc"

  .bss
  .p2align 6
  .globl kaon_mpi_jumps
  .hidden kaon_mpi_jumps
  .type kaon_mpi_jumps, %object
kaon_mpi_jumps:
  .zero 8 * KAON_MPI_FUNCTION_COUNT
  .size kaon_mpi_jumps, . - kaon_mpi_jumps

  .section .note.GNU-stack, "", %progbits
