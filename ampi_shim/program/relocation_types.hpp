// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <elf.h>
#include <link.h>

#include <cstddef>

#include "kaon/ampi_shim/program/pages.hpp"

// What differs between machines: the numbers of relocations, and where a program's thread-local variables are.
namespace kaon::ampi {

enum class Relocation : unsigned char { none, relative, address, copy, resolver, thread_offset, unknown };

#if defined(__x86_64__)
constexpr Relocation relocation_of(ElfW(Xword) info) {
  switch (ELF64_R_TYPE(info)) {
    case R_X86_64_NONE:
      return Relocation::none;
    case R_X86_64_RELATIVE:
      return Relocation::relative;
    case R_X86_64_64:
    case R_X86_64_GLOB_DAT:
    case R_X86_64_JUMP_SLOT:
      return Relocation::address;
    case R_X86_64_COPY:
      return Relocation::copy;
    case R_X86_64_IRELATIVE:
      return Relocation::resolver;
    case R_X86_64_TPOFF64:
      return Relocation::thread_offset;
    default:
      return Relocation::unknown;
  }
}

// The variables of the executable end where the thread pointer points to.
constexpr std::ptrdiff_t thread_offset_of_executable(std::size_t bytes, std::size_t alignment) {
  return -static_cast<std::ptrdiff_t>(round_up(bytes, alignment));
}

#elif defined(__aarch64__)
constexpr Relocation relocation_of(ElfW(Xword) info) {
  switch (ELF64_R_TYPE(info)) {
    case R_AARCH64_NONE:
      return Relocation::none;
    case R_AARCH64_RELATIVE:
      return Relocation::relative;
    case R_AARCH64_ABS64:
    case R_AARCH64_GLOB_DAT:
    case R_AARCH64_JUMP_SLOT:
      return Relocation::address;
    case R_AARCH64_COPY:
      return Relocation::copy;
    case R_AARCH64_IRELATIVE:
      return Relocation::resolver;
    case R_AARCH64_TLS_TPREL:
      return Relocation::thread_offset;
    default:
      return Relocation::unknown;
  }
}

// They follow two words of the C library at the thread pointer.
constexpr std::ptrdiff_t thread_offset_of_executable(std::size_t, std::size_t alignment) {
  return static_cast<std::ptrdiff_t>(round_up(2 * sizeof(void*), alignment));
}
#endif

}  // namespace kaon::ampi
