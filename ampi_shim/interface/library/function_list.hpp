// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

/// What libmpi_abi.so looks for in the program that loads it: where each function of MPI is, in the order of the
/// library's jumps; as many addresses follow as `count` says. The hash is of their names: library and program must be
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
