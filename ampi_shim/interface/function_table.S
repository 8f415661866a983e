/* SPDX-License-Identifier: Apache-2.0 */
/* Of ampirun: the addresses of all functions of MPI, in the order of library/jumps.S, and a weak definition of each,
   which is there when no source defines it, and says so. The names are CMake's, from mpi.h. */

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

  .purgem function

.macro function name
  .weak \name
  .type \name, %function
  .p2align 4
\name:
#if defined(__x86_64__)
  endbr64
  leaq 1f(%rip), %rdi
  jmp kaon_mpi_unbuilt
#elif defined(__aarch64__)
  hint #34  /* bti c */
  adrp x0, 1f
  add x0, x0, #:lo12:1f
  b kaon_mpi_unbuilt
#else
#error "the table of functions is written for x86-64 and aarch64"
#endif
  .size \name, . - \name
  .pushsection .rodata
1:
  .asciz "\name"
  .popsection
.endm

  .text
#include "functions.inc"

  .section .note.GNU-stack, "", %progbits
