// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

/// The table that libmpi_abi.so looks for in the program that loads it. The addresses of the MPI functions, as many as
/// `count` says, follow it in the order of the library's jumps. The hash is of their names: library and program must be
/// of one build.
struct KaonMpiFunctions {
  using Function = void (*)();
  const Function* begin() const { return reinterpret_cast<const Function*>(this + 1); }
  const Function* end() const { return begin() + count; }

  std::uint64_t hash;
  std::uint64_t count;
};

/// Weak, so that the library can ask whether there is one: ampirun alone has it.
extern "C" [[gnu::weak]] const KaonMpiFunctions kaon_mpi_functions;
