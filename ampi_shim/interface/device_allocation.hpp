// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

#include "kaon/ampi_shim/ranks/rank.hpp"

namespace kaon::ampi {

/// Memory of the device of a rank's PE, as a program has it that calls cudaMalloc. Throws MpiFault without a device, or
/// without memory.
void* allocate_on_device(Rank& rank, std::size_t bytes);
/// False: it is not there.
bool free_on_device(Rank& rank, void* memory);

/// The kinds of memory that MPI takes from this rank's program, as the standard's mpi_memory_alloc_kinds names them.
std::string memory_kinds(Rank& rank);

}  // namespace kaon::ampi
