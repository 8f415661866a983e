// SPDX-License-Identifier: Apache-2.0
#undef _FORTIFY_SOURCE  // its longjmp refuses to jump between stacks
#include "kaon/ampi_shim/program/entry_point.hpp"

#include <csetjmp>

namespace kaon::ampi {
namespace {

struct Search {
  EntryPoint found;
  std::jmp_buf back;
};
constinit thread_local Search* search = nullptr;

// As the kernel starts a program: no arguments, environment or auxiliary vector on the stack, and no function to
// register for the exit.
[[noreturn]] __attribute__((noinline)) void start(void* first_instruction) {
#if defined(__x86_64__)
  asm volatile(
      "andq $-16, %%rsp\n\t"
      "pushq $0\n\t pushq $0\n\t pushq $0\n\t pushq $0\n\t pushq $0\n\t pushq $0\n\t"
      "xorl %%edx, %%edx\n\t"
      "jmpq *%0"
      :
      : "r"(first_instruction)
      : "memory");
#elif defined(__aarch64__)
  asm volatile(
      "stp xzr, xzr, [sp, #-16]!\n\t stp xzr, xzr, [sp, #-16]!\n\t stp xzr, xzr, [sp, #-16]!\n\t"
      "mov x0, xzr\n\t"
      "br %0"
      :
      : "r"(first_instruction)
      : "memory");
#endif
  __builtin_unreachable();
}

}  // namespace

EntryPoint find_entry_point(void* first_instruction) {
  Search mine;
  search = &mine;
  if (setjmp(mine.back) == 0) start(first_instruction);
  search = nullptr;
  return mine.found;
}

extern "C" int kaon_record_entry_point(EntryPoint::Main main, int, char**, EntryPoint::Main initialize) {
  search->found = {main, initialize};
  std::longjmp(search->back, 1);
}

}  // namespace kaon::ampi
